// SPDX-License-Identifier: Apache-2.0
import { ApiError, type StatusReason } from '@forge/kube/errors/api-error.ts';

/** A refusal as the API server would send it. */
export function refusal(code: number, reason: StatusReason, message: string): ApiError {
  return new ApiError({ apiVersion: 'v1', kind: 'Status', metadata: {}, status: 'Failure', code, reason, message });
}
