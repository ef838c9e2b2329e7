// SPDX-License-Identifier: Apache-2.0
import { ApiError } from '@forge/kube/errors/api-error.ts';
import { jsonPayload } from '../messages/payload.ts';
import type { ServerResponse } from '../messages/server-request.ts';
import { internalError, statusError } from '../messages/status-errors.ts';
import { StorageFailed } from '../storage/storage.ts';
import type { Store } from '../storage/store.ts';

/** A disk may fail again right after it has recovered. */
const attempts = 3;

/**
 * Responds only with durable state. When a change could not be persisted it is rolled back, and the request is retried;
 * writes only after the storage has recovered.
 */
export async function respondDurably(
  store: Store,
  method: string,
  respond: () => ServerResponse | Promise<ServerResponse>,
): Promise<ServerResponse> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await respondOnce(store, method, respond);
    } catch (error) {
      if (!(error instanceof StorageFailed) || attempt === attempts) return failure(error);
      try {
        if (method !== 'GET') await store.recover();
      } catch (remaining) {
        return failure(remaining);
      }
    }
  }
}

/** Throws anything but API errors, such as storage failures. */
async function respondOnce(
  store: Store,
  method: string,
  respond: () => ServerResponse | Promise<ServerResponse>,
): Promise<ServerResponse> {
  try {
    const response = await respond();
    // Writes have already waited; reads may see state that is not durable yet.
    if (method === 'GET' && 'payload' in response) await store.durable();
    return response;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // An error may also be based on state that is not durable yet.
    await store.durable();
    return failure(error);
  }
}

function failure(error: unknown): ServerResponse {
  const { status } =
    error instanceof ApiError
      ? error
      : error instanceof StorageFailed
        ? storageFailed(error)
        : internalError((error as Error).message);
  return { status: status.code ?? 500, payload: jsonPayload(status), retryAfter: status.details?.retryAfterSeconds };
}

/** The change cannot be persisted: the disk is full or broken. */
function storageFailed({ message, full }: StorageFailed): ApiError {
  return statusError(full ? 507 : 500, 'InternalError', message);
}
