// SPDX-License-Identifier: Apache-2.0
import { isDeepStrictEqual } from 'node:util';
import type { Client } from '@forge/kube/client/client.ts';
import { isApiError } from '@forge/kube/errors/api-error.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';

/**
 * Writes the status if it changed; returns whether the object still exists. The resourceVersion is included, so that a
 * status computed from a stale object is rejected.
 */
export async function writeStatus<T extends KubeObject & { status?: unknown }>(
  client: Client,
  kind: Kind<T>,
  object: T,
  status: NonNullable<T['status']>,
): Promise<boolean> {
  if (isDeepStrictEqual(object.status, status)) return true;
  try {
    await client.update(kind, { ...object, status }, { subresource: 'status' });
    return true;
  } catch (error) {
    // The watch will deliver the deletion.
    if (isApiError(error, 'NotFound')) return false;
    throw error;
  }
}
