// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { refOf, type KubeObject } from '@forge/kube/objects/object.ts';
import type { ReconcileContext } from '../../controller/controller.ts';
import { StaleCacheError } from '../../queue/reconcile-error.ts';
import { nameOf } from './ownership.ts';

/**
 * Checks live that the owner has not been deleted before a deleted object is created again: the garbage collector
 * may have removed it because its owner is gone, which a hung watch hides from us, and would remove it again.
 */
export async function ensureOwnerAlive(
  owner: { kind: Kind; object: KubeObject },
  { kind, wanted }: { kind: Kind; wanted: KubeObject },
  { cache, client, signal }: Pick<ReconcileContext, 'cache' | 'client' | 'signal'>,
): Promise<void> {
  const ref = refOf(wanted);
  if (cache.get(kind, ref) !== undefined || !cache.wasDeleted(kind, ref)) return;
  const { metadata } = owner.object;
  const { uid, deletionTimestamp } = (await client.find(owner.kind, refOf(owner.object), { signal }))?.metadata ?? {};
  if (uid === metadata.uid && deletionTimestamp === metadata.deletionTimestamp) return;
  throw new StaleCacheError(
    `${nameOf(owner.object)} is deleted or terminating: ${wanted.kind} ${ref.name} is not created again`,
  );
}
