// SPDX-License-Identifier: Apache-2.0
import type { Status, StatusReason } from '../errors/api-error.ts';

/** A plain-text error of a proxy or mux as a Status. */
export function plainStatus(code: number, message: string, retryAfterSeconds: number): Status {
  const reason = reasons[code];
  return {
    apiVersion: 'v1',
    kind: 'Status',
    metadata: {},
    status: 'Failure',
    code,
    message,
    ...(reason !== undefined && { reason }),
    ...(retryAfterSeconds > 0 && { details: { retryAfterSeconds } }),
  };
}

const reasons: Readonly<Record<number, StatusReason>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'Conflict',
  410: 'Gone',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};
