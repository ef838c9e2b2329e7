// SPDX-License-Identifier: Apache-2.0
import type { DeleteOptions } from '@forge/kube/client/client-options.ts';
import type { Client } from '@forge/kube/client/client.ts';
import { isApiError } from '@forge/kube/errors/api-error.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { refOf, type KubeObject } from '@forge/kube/objects/object.ts';

/** Deletes exactly this object, by uid; returns whether it still existed. */
export async function removeObject(
  client: Client,
  kind: Kind,
  object: KubeObject,
  options: Omit<DeleteOptions, 'preconditions'> = {},
): Promise<boolean> {
  const { uid } = object.metadata;
  try {
    await client.delete(kind, refOf(object), { ...options, ...(uid !== undefined && { preconditions: { uid } }) });
    return true;
  } catch (error) {
    if (isApiError(error, 'NotFound', 'Conflict')) return false;
    throw error;
  }
}
