// SPDX-License-Identifier: Apache-2.0
import type { Fault } from './fault-injector.ts';

/** Serves lists at an old revision, like a lagging watch cache; other requests pass. */
export function staleLists(revision: number): Fault {
  return (request, next) => {
    const { method, query } = request;
    const isFirstPage = method === 'GET' && query['watch'] !== 'true' && (query['continue'] ?? '') === '';
    // A get always returns the newest state.
    if (!isFirstPage) return next(request);
    const stale = { ...query, resourceVersion: String(revision), resourceVersionMatch: 'Exact' };
    return next({ ...request, query: stale });
  };
}
