// SPDX-License-Identifier: Apache-2.0
import { ApiError } from '@forge/kube/errors/api-error.ts';
import { type FieldError, forbidden, unsupported } from '@forge/kube/errors/field-error.ts';
import { badRequest, invalid } from './status-errors.ts';

type Query = Readonly<Record<string, string>>;

/** What the query of a list or a watch says besides its selectors. */
export interface ListOptions {
  /** Objects a page may hold; 0: all of them. */
  limit: number;
  continue: string;
  /** As it was sent: empty for the newest, `0` for any. */
  version: string;
  match: string;
  sendInitialEvents: boolean | undefined;
  bookmarks: boolean;
  /** Milliseconds after which a watch ends; undefined: when its caller ends it. */
  timeout: number | undefined;
}

/** Reads the options of a list or a watch; throws when they contradict each other. */
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

/** The revision a version names, for a get or a watch. */
export function revisionOf(version: string): number {
  if (/^\d+$/.test(version)) return Number(version);
  const message = badVersion(version);
  // A real server has no reason for this one.
  throw new ApiError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code: 500 });
}

/** The revision a version names, for a list. */
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

/** A number in a query; throws when it is none. */
export function integerOf(text = '0'): number {
  if (/^[+-]?\d+$/.test(text)) return Number(text);
  throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
}

/** As a real server reads it: what is there and does not say no, says yes. */
export function booleanOf(text: string): boolean;
export function booleanOf(text: string | undefined): boolean | undefined;
export function booleanOf(text: string | undefined): boolean | undefined {
  return text === undefined ? undefined : text !== '0' && text.toLowerCase() !== 'false';
}
