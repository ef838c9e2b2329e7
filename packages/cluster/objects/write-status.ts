// SPDX-License-Identifier: Apache-2.0
import { isDeepStrictEqual } from 'node:util';
import type { Client } from '@forge/kube/client/client.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';

/**
 * Saves what was observed, and only when it differs. The object's resourceVersion goes along, so that a status worked
 * out from a stale object is refused rather than saved.
 */
export async function writeStatus<T extends KubeObject & { status?: unknown }>(
  client: Client,
  kind: Kind<T>,
  object: T,
  status: NonNullable<T['status']>,
): Promise<void> {
  if (isDeepStrictEqual(object.status, status)) return;
  await client.update(kind, { ...object, status }, { subresource: 'status' });
}
