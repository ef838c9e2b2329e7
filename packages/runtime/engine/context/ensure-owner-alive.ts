// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { refOf, type KubeObject } from '@forge/kube/objects/object.ts';
import type { ReconcileContext } from '../../controller/controller.ts';
import { controllerOf } from '../../objects/owner-reference.ts';
import { StaleCacheError } from '../../queue/reconcile-error.ts';
import { nameOf } from './ownership.ts';

/**
 * Checks live that the owner has not been deleted before a deleted object is created again, or one without owner becomes
 * its own: the garbage collector may have removed the object because its owner is gone, or the reference because its owner is
 * to leave it behind, which a late watch hides from us; and it would remove the object.
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
    `${nameOf(owner.object)} is deleted or terminating: ${wanted.kind} ${ref.name} is not created or adopted`,
  );
}
