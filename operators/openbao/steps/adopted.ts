// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { owned, type Owned, type OwnedVerb } from '@forge/runtime/steps/owned.ts';
import { clusterLabel } from '../api/names.ts';
import type { ContextWith } from '../clients/services.ts';

/** A kind of which a cluster has objects with its labels; nothing else is watched. */
export const ofCluster = <R extends KubeObject>(kind: Kind<R>, ...verbs: readonly OwnedVerb[]): Owned =>
  owned(kind, ['apply', 'adopt', ...verbs], { selector: clusterLabel });

/**
 * Applies an object. An existing one is adopted if it has the labels of the cluster and no owner: it was left by an orphaning
 * deletion. Any other object of this name belongs to somebody else, and is refused.
 */
export async function applied<R extends KubeObject>(
  kind: Kind<R>,
  desired: R,
  { get, apply }: Pick<ContextWith, 'get' | 'apply'>,
): Promise<R> {
  return await apply(desired, { adopt: get(kind, desired.metadata.name) !== undefined });
}

/** Applies an object that the spec asks for, and removes one that it does not ask for any more. */
export async function wanted<R extends KubeObject>(
  kind: Kind<R>,
  name: string,
  desired: R | undefined,
  context: Pick<ContextWith, 'get' | 'apply' | 'remove'>,
): Promise<void> {
  if (desired !== undefined) await applied(kind, desired, context);
  else if (context.get(kind, name) !== undefined) await context.remove(kind, name);
}
