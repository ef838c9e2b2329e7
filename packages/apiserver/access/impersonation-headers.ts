// SPDX-License-Identifier: Apache-2.0
import type { ServerRequest } from '../messages/server-request.ts';
import { badRequest } from '../messages/status-errors.ts';

/** The user in the impersonation headers. */
export interface RequestedUser {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

const extraPrefix = 'impersonate-extra-';

/** The impersonation headers of a request. Group names may contain commas, so repeated headers are joined with newlines. */
export function impersonationHeaders(
  all: Readonly<Record<string, readonly string[] | undefined>>,
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name in all) if (name.startsWith('impersonate-')) headers[name] = all[name]?.join('\n') ?? '';
  return headers;
}

/** The user to impersonate; undefined without impersonation headers. */
export function requestedUser(headers: ServerRequest['headers']): RequestedUser | undefined {
  const { 'impersonate-user': name = '', 'impersonate-uid': uid = '', 'impersonate-group': groups } = headers;
  const extraNames = Object.keys(headers).filter((header) => header.startsWith(extraPrefix));
  if (name === '' && uid === '' && groups === undefined && extraNames.length === 0) return undefined;
  const wanted = {
    name,
    uid,
    groups: groups?.split('\n') ?? [],
    extra: Object.fromEntries(extraNames.map((header) => [extraKey(header), headers[header]?.split('\n') ?? []])),
  };
  if (name === '') throw badRequest(`requested ${goText(wanted)} without impersonating a user name`);
  return wanted;
}

function extraKey(header: string): string {
  const encoded = header.slice(extraPrefix.length);
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

/** A user as Go prints it. */
function goText({ name, uid, groups, extra }: RequestedUser): string {
  const entries = Object.entries(extra).map(([key, values]) => `${JSON.stringify(key)}:${goStrings(values)}`);
  const map = entries.length === 0 ? 'map[string][]string(nil)' : `map[string][]string{${entries.join(', ')}}`;
  return `&user.DefaultInfo{Name:${JSON.stringify(name)}, UID:${JSON.stringify(uid)}, Groups:${goStrings(groups)}, Extra:${map}}`;
}

function goStrings(list: readonly string[]): string {
  return list.length === 0 ? '[]string(nil)' : `[]string{${list.map((each) => JSON.stringify(each)).join(', ')}}`;
}
