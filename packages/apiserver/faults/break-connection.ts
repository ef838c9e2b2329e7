// SPDX-License-Identifier: Apache-2.0
import type { Fault } from './fault-injector.ts';

/** Breaks the connection before the server receives the request, or after it has handled it. */
export function breakConnection(when: 'before' | 'after'): Fault {
  return async (request, next) => {
    if (when === 'after') await next(request);
    throw brokenConnection();
  };
}

/** The error of a broken connection. */
export function brokenConnection(): Error {
  return new Error('the connection to the API server broke');
}
