// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { refOf, type KubeObject } from '@forge/kube/objects/object.ts';
import type { ReconcileContext } from '@forge/runtime/controller/controller.ts';
import { ensureOwnerAlive } from '@forge/runtime/controller/ensure-owner-alive.ts';

/** The existing child, or a new one; a deleted child is created again only while its owner exists on the server. */
export async function ensureChild<T extends KubeObject>(
  owner: { kind: Kind; object: KubeObject },
  kind: Kind<T>,
  wanted: T,
  context: ReconcileContext,
): Promise<T> {
  const found = context.cache.get(kind, refOf(wanted));
  if (found !== undefined) return found;
  await ensureOwnerAlive(owner, { kind, wanted }, context);
  return await context.client.create(kind, wanted);
}
