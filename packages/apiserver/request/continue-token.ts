// SPDX-License-Identifier: Apache-2.0
import { posix } from 'node:path';
import { badRequest } from '../messages/status-errors.ts';

/** Where the next page of a list starts, and the revision it is read at. */
interface Position {
  /** Undefined for the newest revision, whatever earlier pages showed. */
  revision: number | undefined;
  /** The first key of the page. */
  from: string;
}

const version = 'meta.k8s.io/v1';

/** The position as an opaque token; the key is encoded without the prefix common to the list. */
export function continueToken({ revision = -1, from }: Position, prefix: string): string {
  const start = from.slice(prefix.length - 1);
  return Buffer.from(JSON.stringify({ v: version, rv: revision, start })).toString('base64url');
}

/** Reads a continue token; undefined for the first page. */
export function readContinueToken(token: string | undefined, prefix: string): Position | undefined {
  if (token === undefined || token === '') return undefined;
  const { v = '', rv = 0, start = '' } = decode(token);
  if (v !== version) throw unreadable(`server does not recognize this encoded version ${v}`);
  if (rv === 0) throw unreadable(`incorrect encoded start resourceVersion (version ${version})`);
  if (start === '') throw unreadable(`encoded start key empty (version ${version})`);
  const path = start.startsWith('/') ? start : `/${start}`;
  if (posix.normalize(path) !== path) throw unreadable(start);
  return { revision: rv === -1 ? undefined : rv, from: prefix.slice(0, -1) + path };
}

function decode(token: string): { v?: string; rv?: number; start?: string } {
  const illegal = token.search(/[^\w-]/);
  if (illegal >= 0 || token.length % 4 === 1) {
    throw unreadable(`illegal base64 data at input byte ${illegal >= 0 ? illegal : token.length - 1}`);
  }
  const text = Buffer.from(token, 'base64url').toString('latin1');
  try {
    return JSON.parse(Buffer.from(text, 'latin1').toString()) as ReturnType<typeof decode>;
  } catch {
    throw unreadable(`invalid character ${quoted(text)} looking for beginning of value`);
  }
}

/** The first character as kube-apiserver quotes it. */
function quoted(text: string): string {
  const code = text.charCodeAt(0);
  return code < 0x20 || code > 0x7e ? `'\\u${code.toString(16).padStart(4, '0')}'` : `'${text[0]}'`;
}

function unreadable(why: string): Error {
  return badRequest(`invalid continue token: continue key is not valid: ${why}`);
}
