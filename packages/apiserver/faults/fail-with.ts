// SPDX-License-Identifier: Apache-2.0
import { jsonPayload } from '../messages/payload.ts';
import { internalError, statusError } from '../messages/status-errors.ts';
import type { Fault } from './fault-injector.ts';

/** Responds with an error; the server does not receive the request. */
export function failWith(code: 409 | 429 | 500): Fault {
  const { status } = errors[code]();
  return () => Promise.resolve({ status: code, payload: jsonPayload(status) });
}

const errors = {
  409: () =>
    statusError(
      409,
      'Conflict',
      'Operation cannot be fulfilled: the object has been modified; please apply your changes to the latest version and try again',
    ),
  429: () => statusError(429, 'TooManyRequests', 'too many requests, please try again later', { retryAfterSeconds: 1 }),
  500: () => internalError('injected fault'),
};
