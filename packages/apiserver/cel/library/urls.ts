// SPDX-License-Identifier: Apache-2.0
import { ListValue } from '../values/list-value.ts';
import { EntryMap } from '../values/map-value.ts';
import { bool, listOf, mapOf, opaque, string } from '../values/type.ts';
import { parseUrl, type ParsedUrl } from '../values/url-text.ts';
import { EvalError, Opaque, type Result } from '../values/value.ts';
import { define, defineMember, type Overload, traverse } from './overload.ts';

const type = opaque('kubernetes.URL');

class Url extends Opaque {
  readonly type = type;
  readonly parts: ParsedUrl;
  readonly #text: string;
  constructor(text: string, parts: ParsedUrl) {
    super();
    this.#text = text;
    this.parts = parts;
  }
  equals(other: Opaque): boolean {
    return other instanceof Url && other.#text === this.#text;
  }
}

function toUrl(text: string): Result {
  const parts = parseUrl(text);
  return typeof parts === 'string'
    ? new EvalError(`URL parse error during conversion from string: ${parts}`)
    : new Url(text, parts);
}

function queryOf({ parts: { query } }: Url): Result {
  const map = new EntryMap();
  const parameters = new URLSearchParams(query);
  for (const name of new Set(parameters.keys())) map.insert(name, ListValue.of(parameters.getAll(name)));
  return map;
}

/** URLs. */
export const urls: readonly Overload[] = [
  define('url', [string], type, toUrl, { cost: traverse, estimate: ({ size }) => ({ size }) }),
  define('isURL', [string], bool, (text: string) => typeof parseUrl(text) !== 'string'),
  defineMember('getScheme', [type], string, ({ parts }: Url) => parts.scheme),
  defineMember('getHost', [type], string, ({ parts }: Url) => parts.host),
  defineMember('getHostname', [type], string, ({ parts }: Url) => parts.hostname),
  defineMember('getPort', [type], string, ({ parts }: Url) => parts.port),
  defineMember('getEscapedPath', [type], string, ({ parts }: Url) => parts.path),
  defineMember('getQuery', [type], mapOf(string, listOf(string)), queryOf),
];
