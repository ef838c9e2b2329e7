// SPDX-License-Identifier: Apache-2.0
import { ApiError } from '@forge/kube/errors/api-error.ts';
import { jsonPayload } from '../request/payload.ts';
import type { ServerResponse } from '../request/server-request.ts';
import { internalError, statusError } from '../request/status-errors.ts';
import { StorageFailed } from '../storage/storage.ts';
import type { Store } from '../storage/store.ts';

/** A disk may fail again and again just after it has recovered. */
const attempts = 3;

/**
 * Answers with what would survive a crash. When a change that was seen could not be kept, it has been taken back and the
 * request is answered anew; a write, only once changes can be kept again.
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

/** Throws faults, of the storage among others. */
async function respondOnce(
  store: Store,
  method: string,
  respond: () => ServerResponse | Promise<ServerResponse>,
): Promise<ServerResponse> {
  try {
    const response = await respond();
    // A write has waited for itself; what is read may not be on disk yet.
    if (method === 'GET' && 'payload' in response) await store.durable();
    return response;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // Nor may that be for which it is refused.
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

/** The change cannot be kept: its disk is full, or broken. */
function storageFailed({ message, full }: StorageFailed): ApiError {
  return statusError(full ? 507 : 500, 'InternalError', message);
}
