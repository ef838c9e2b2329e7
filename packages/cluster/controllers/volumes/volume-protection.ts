// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import { isApiError } from '@forge/kube/errors/api-error.ts';
import { PersistentVolume, PersistentVolumeClaim, Pod } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { refOf, type KubeObject } from '@forge/kube/objects/object.ts';
import { watch, type Controller } from '@forge/runtime/controller/controller.ts';

/** Releases a deleted claim when no scheduled pod uses it. */
export const claimProtection: Controller = {
  name: 'persistentvolumeclaim-protection-controller',
  for: PersistentVolumeClaim,
  watches: [watch(Pod, (pod) => claimsOf(pod).map((name) => ({ name, namespace: pod.metadata.namespace })))],

  async reconcile(ref, { cache, client }) {
    const claim = cache.get(PersistentVolumeClaim, ref);
    const isUsed = (pod: Pod): boolean => pod.spec?.nodeName !== undefined && claimsOf(pod).includes(ref.name);
    if (claim === undefined || cache.list(Pod, { namespace: ref.namespace }).some(isUsed)) return undefined;
    await removeFinalizer(client, PersistentVolumeClaim, claim, 'kubernetes.io/pvc-protection');
    return undefined;
  },
};

/** Releases a deleted volume when its claim is gone. */
export const volumeProtection: Controller = {
  name: 'persistentvolume-protection-controller',
  for: PersistentVolume,
  watches: [
    watch(PersistentVolumeClaim, ({ spec }) => (spec?.volumeName === undefined ? [] : [{ name: spec.volumeName }])),
  ],

  async reconcile(ref, { cache, client }) {
    const volume = cache.get(PersistentVolume, ref);
    const { name = '', namespace, uid } = volume?.spec?.claimRef ?? {};
    const claim = cache.get(PersistentVolumeClaim, { name, namespace });
    if (volume === undefined || (claim !== undefined && claim.metadata.uid === uid)) return undefined;
    await removeFinalizer(client, PersistentVolume, volume, 'kubernetes.io/pv-protection');
    return undefined;
  },
};

function claimsOf({ metadata, spec }: Pod): string[] {
  return (spec?.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
    if (ephemeral !== undefined) return [`${metadata.name}-${name}`];
    return persistentVolumeClaim?.claimName ?? [];
  });
}

/** Removes the protection finalizer from a terminating object. */
async function removeFinalizer(
  client: Client,
  kind: Kind,
  { metadata, ...object }: KubeObject,
  finalizer: string,
): Promise<void> {
  const { deletionTimestamp, finalizers = [], resourceVersion } = metadata;
  if (deletionTimestamp === undefined || !finalizers.includes(finalizer)) return;
  const kept = finalizers.filter((each) => each !== finalizer);
  try {
    await client.patch(kind, refOf({ metadata, ...object }), 'merge', {
      metadata: { resourceVersion, finalizers: kept },
    });
  } catch (error) {
    // The object was changed or deleted, which triggers another reconcile if needed.
    if (!isApiError(error, 'NotFound', 'Conflict')) throw error;
  }
}
