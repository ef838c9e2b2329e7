// SPDX-License-Identifier: Apache-2.0
import { ApiError } from '@forge/kube/errors/api-error.ts';
import { type FieldError, forbidden, unsupported } from '@forge/kube/errors/field-error.ts';
import { booleanOf, integerOf } from '../messages/query-values.ts';
import { badRequest, invalid } from '../messages/status-errors.ts';

type Query = Readonly<Record<string, string>>;

/** Query options of a list or watch other than selectors. */
export interface ListOptions {
  /** Maximum objects per page; 0 for all. */
  limit: number;
  continue: string;
  /** The resourceVersion as sent: empty for the newest, `0` for any. */
  version: string;
  match: string;
  sendInitialEvents: boolean | undefined;
  bookmarks: boolean;
  /** Milliseconds after which the server ends a watch; undefined for no limit. */
  timeout: number | undefined;
}

/** Parses the options of a list or watch; throws when they are inconsistent. */
export function listOptionsOf(query: Query, watching: boolean): ListOptions {
  const timeout = integerOf(query['timeoutSeconds']) * 1000;
  const options = {
    limit: Math.max(0, integerOf(query['limit'])),
    continue: query['continue'] ?? '',
    version: query['resourceVersion'] ?? '',
    match: query['resourceVersionMatch'] ?? '',
    sendInitialEvents: booleanOf(query['sendInitialEvents']),
    bookmarks: booleanOf(query['allowWatchBookmarks']) ?? false,
    timeout: timeout > 0 ? timeout : undefined,
  };
  const errors = [...(watching ? watchErrors(options) : listErrors(options))];
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', errors);
  return options;
}

/** The revision of a resourceVersion, for a get or watch. */
export function revisionOf(version: string): number {
  if (/^\d+$/.test(version)) return Number(version);
  const message = badVersion(version);
  // kube-apiserver sends no reason here.
  throw new ApiError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code: 500 });
}

/** The revision of a resourceVersion, for a list. */
export function listRevisionOf(version: string): number {
  if (/^\d+$/.test(version)) return Number(version);
  throw badRequest(`invalid resource version: ${badVersion(version)}`);
}

function badVersion(version: string): string {
  const quoted = JSON.stringify(version);
  return `resourceVersion: Invalid value: ${quoted}: strconv.ParseUint: parsing ${quoted}: invalid syntax`;
}

function* listErrors({ match, version, ...options }: ListOptions): Generator<FieldError> {
  if (match !== '') {
    if (version === '') yield matchForbidden('is forbidden unless resourceVersion is provided');
    if (options.continue !== '') yield matchForbidden('is forbidden when continue is provided');
    if (match !== 'Exact' && match !== 'NotOlderThan') {
      yield unsupported('resourceVersionMatch', match, ['Exact', 'NotOlderThan', '']);
    }
    if (match === 'Exact' && version === '0') yield matchForbidden('"exact" is forbidden for resourceVersion "0"');
  }
  if (options.sendInitialEvents !== undefined) {
    yield forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list');
  }
}

function* watchErrors({ match, sendInitialEvents, ...options }: ListOptions): Generator<FieldError> {
  if (sendInitialEvents === undefined) {
    if (match !== '') yield matchForbidden('is forbidden for watch unless sendInitialEvents is provided');
    return;
  }
  if (match !== 'NotOlderThan') {
    yield forbidden('resourceVersionMatch', 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan');
  }
  if (match !== '' && match !== 'NotOlderThan') yield unsupported('resourceVersionMatch', match, ['NotOlderThan']);
  if (options.continue !== '') yield matchForbidden('is forbidden when continue is provided');
}

function matchForbidden(why: string): FieldError {
  return forbidden('resourceVersionMatch', `resourceVersionMatch ${why}`);
}
