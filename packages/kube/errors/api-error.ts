// SPDX-License-Identifier: Apache-2.0

/** The Status of a failed request. */
export interface Status {
  apiVersion: 'v1';
  kind: 'Status';
  metadata: Record<string, never>;
  status: 'Success' | 'Failure';
  message?: string;
  reason?: StatusReason;
  code?: number;
  details?: {
    name?: string;
    group?: string;
    kind?: string;
    uid?: string;
    retryAfterSeconds?: number;
    causes?: { reason?: string; message?: string; field?: string }[];
  };
}

/** The reasons of a Kubernetes API server. */
export type StatusReason =
  | 'BadRequest'
  | 'Unauthorized'
  | 'Forbidden'
  | 'NotFound'
  | 'AlreadyExists'
  | 'Conflict'
  | 'Gone'
  | 'Invalid'
  | 'Expired'
  | 'ServerTimeout'
  | 'Timeout'
  | 'TooManyRequests'
  | 'MethodNotAllowed'
  | 'NotAcceptable'
  | 'RequestEntityTooLarge'
  | 'UnsupportedMediaType'
  | 'InternalError'
  | 'ServiceUnavailable';

/** An error response of the API server, with the request and the server's message. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: Status;

  constructor(status: Status, request?: string) {
    const message = status.message ?? status.reason ?? `HTTP ${status.code ?? 500}`;
    super(request === undefined ? message : `${request}: ${message}`);
    this.status = status;
  }

  get reason(): StatusReason | undefined {
    return this.status.reason;
  }

  get code(): number {
    return this.status.code ?? 500;
  }
}

/** Whether the error is an ApiError with one of these reasons. */
export function isApiError(error: unknown, ...reasons: StatusReason[]): error is ApiError {
  return error instanceof ApiError && error.reason !== undefined && reasons.includes(error.reason);
}
