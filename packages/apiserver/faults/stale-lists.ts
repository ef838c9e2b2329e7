// SPDX-License-Identifier: Apache-2.0
import type { Fault } from './fault-injector.ts';

/** Shows lists as they were at an old revision, as a server does whose cache lags behind; everything else passes. */
export function staleLists(revision: number): Fault {
  return (request, next) => {
    const { method, query } = request;
    const isFirstPage = method === 'GET' && query['watch'] !== 'true' && (query['continue'] ?? '') === '';
    // Of one object there is only the newest state to be had, with or without a version.
    if (!isFirstPage) return next(request);
    const stale = { ...query, resourceVersion: String(revision), resourceVersionMatch: 'Exact' };
    return next({ ...request, query: stale });
  };
}
