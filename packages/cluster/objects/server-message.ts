// SPDX-License-Identifier: Apache-2.0
import { ApiError } from '@forge/kube/errors/api-error.ts';

/** What the API server answered, without our description of the request: controllers report it in these words. */
export function serverMessage(error: unknown): string {
  return error instanceof ApiError ? (error.status.message ?? error.message) : String(error);
}
