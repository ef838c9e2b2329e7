// SPDX-License-Identifier: Apache-2.0
import { ApiError } from '@forge/kube/errors/api-error.ts';
import { badRequest, expired, statusError } from '../messages/status-errors.ts';
import { continueToken, readContinueToken } from '../request/continue-token.ts';
import { listRevisionOf, type ListOptions } from '../request/list-options.ts';
import type { Snapshot, Store } from '../storage/store.ts';

/** The snapshot of a list, and its first key. */
export interface RequestedSnapshot {
  snapshot: Snapshot;
  from: string;
}

/** The snapshot that resourceVersion, match and continue token ask for; throws when it is compacted or in the future. */
export function requestedSnapshot(store: Store, options: ListOptions, prefix: string): RequestedSnapshot {
  const token = readContinueToken(options.continue, prefix);
  const revision = options.version === '' ? 0 : listRevisionOf(options.version);
  if (token !== undefined) {
    if (revision !== 0) throw badRequest('specifying resource version is not allowed when using continue');
    const snapshot = token.revision === undefined ? store.current : store.at(token.revision);
    if (snapshot === undefined) throw pageExpired(continueToken({ ...token, revision: undefined }, prefix));
    return { snapshot, from: token.from };
  }
  checkRevisionReached(store, revision);
  // The first page at a resourceVersion is read at exactly that revision.
  const isExact = options.match === 'Exact' || (options.match === '' && options.limit > 0);
  const snapshot = revision > 0 && isExact ? store.at(revision) : store.current;
  if (snapshot === undefined) throw expired('The resourceVersion for the provided list is too old.');
  return { snapshot, from: prefix };
}

/** Throws when the revision is in the future. */
export function checkRevisionReached({ current }: Store, revision: number): void {
  if (revision <= current.revision) return;
  const message = `Timeout: Too large resource version: ${revision}, current: ${current.revision}`;
  throw statusError(504, 'Timeout', message, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  });
}

/** 410 for a compacted page, with a token to continue at the newest revision. */
function pageExpired(nextToken: string): ApiError {
  const { status } = expired(
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
  );
  return new ApiError({ ...status, metadata: { continue: nextToken } as never });
}
