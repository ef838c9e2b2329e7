// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { refOf, type KubeObject } from '@forge/kube/objects/object.ts';
import { controllerOf } from '../objects/owner-reference.ts';
import { StaleCacheError } from '../queue/reconcile-error.ts';
import type { ReconcileContext } from './controller.ts';

/**
 * Before a deleted object is created again, or one without an owner is adopted: checks live that its owner still exists and is
 * not terminating. The garbage collector may have deleted the object with its owner, or removed the owner reference because the
 * owner orphans its dependents; a watch that lags behind does not show this yet.
 */
export async function ensureOwnerAlive(
  owner: { kind: Kind; object: KubeObject },
  { kind, wanted }: { kind: Kind; wanted: KubeObject },
  { cache, client, signal }: Pick<ReconcileContext, 'cache' | 'client' | 'signal'>,
): Promise<void> {
  const ref = refOf(wanted);
  const live = cache.get(kind, ref);
  const isNew = live === undefined && !cache.wasDeleted(kind, ref);
  const isSame = live !== undefined && controllerOf(live)?.uid === controllerOf(wanted)?.uid;
  if (isNew || isSame) return;
  const { metadata } = owner.object;
  const { uid, deletionTimestamp } = (await client.find(owner.kind, refOf(owner.object), { signal }))?.metadata ?? {};
  if (uid === metadata.uid && deletionTimestamp === metadata.deletionTimestamp) return;
  throw new StaleCacheError(
    `${owner.object.kind} ${metadata.name} is deleted or terminating: ${wanted.kind} ${ref.name} is not created or adopted`,
  );
}
