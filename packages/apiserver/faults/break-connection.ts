// SPDX-License-Identifier: Apache-2.0
import type { Fault } from './fault-injector.ts';

/** Breaks the connection before the server hears the request, or after it has done what was asked. */
export function breakConnection(when: 'before' | 'after'): Fault {
  return async (request, next) => {
    if (when === 'after') await next(request);
    throw brokenConnection();
  };
}

/** What a caller sees of a connection that broke. */
export function brokenConnection(): Error {
  return new Error('the connection to the API server broke');
}
