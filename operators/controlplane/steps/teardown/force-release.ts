// SPDX-License-Identifier: Apache-2.0
import { Secret } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { readsIndexed, type Reads } from '@forge/runtime/steps/reads.ts';
import type { ControlPlane } from '../../api/control-plane.ts';
import { isKorcFinalizer, korcFinalizerPrefix, namesOf } from '../../api/names.ts';
import type { Services } from '../../clients/services.ts';
import { korcPlaces, type KorcChild, type TeardownContext } from './korc-children.ts';

type KorcObject = KubeObject & { spec: { cloudCredentialsRef: { secretName: string } } };

/** Objects of K-ORC that log in with the same clouds.yaml, kind by kind. */
export const referrers: readonly Reads<ControlPlane, Services, KorcObject>[] = korcPlaces.map(({ kind }) =>
  readsIndexed<ControlPlane, Services, KorcObject>(
    kind as Kind<KorcObject>,
    {
      wanted: (controlPlane) => [`${controlPlane.metadata.namespace}/${namesOf(controlPlane).cloudsYaml}`],
      valuesOf: ({ metadata, spec }) => [`${metadata.namespace}/${spec.cloudCredentialsRef.secretName}`],
    },
    { predicate: () => false },
  ),
);

/**
 * Removes K-ORC's finalizers from the objects and their logins; finalizers of others stay. The objects come last: as long as
 * one exists, an interrupted run starts again.
 */
export async function forceRelease(left: readonly KorcChild[], context: TeardownContext): Promise<void> {
  const { object: controlPlane, get, select, release } = context;
  const { passwordCloud, cloudsYaml } = namesOf(controlPlane);
  const ours = left.map(({ live }) => live.metadata.uid);
  const abandoned = referrers
    .filter((read) => select(read).every(({ metadata }) => ours.includes(metadata.uid)))
    .map(({ kind }) => guardOf(kind));
  const secrets = [
    { name: passwordCloud, isHeld: isKorcFinalizer },
    { name: cloudsYaml, isHeld: (finalizer: string) => abandoned.includes(finalizer) },
  ];
  for (const { name, isHeld } of secrets) {
    const live = get(Secret, name);
    if (live !== undefined) await release(Secret, live, { finalizers: isHeld });
  }
  for (const { kind, live } of left) await release(kind, live, { finalizers: isKorcFinalizer });
}

/** The finalizer with which K-ORC guards the login of objects of a kind. */
function guardOf({ kind }: Kind): string {
  return korcFinalizerPrefix + kind.toLowerCase();
}
