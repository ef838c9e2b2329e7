// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { refOf, type KubeObject } from '@forge/kube/objects/object.ts';
import type { ReconcileContext } from '@forge/runtime/controller/controller.ts';
import { writeStatus } from '../objects/write-status.ts';

/** Writes the status to the latest version of exactly this object: its spec may have changed during the reconcile. */
export async function saveStatus<T extends KubeObject & { status?: unknown }>(
  kind: Kind<T>,
  object: T,
  status: NonNullable<T['status']>,
  { client, cache }: ReconcileContext,
): Promise<void> {
  const current = cache.get(kind, refOf(object));
  if (current?.metadata.uid === object.metadata.uid && current !== undefined) {
    await writeStatus(client, kind, current, status);
  }
}
