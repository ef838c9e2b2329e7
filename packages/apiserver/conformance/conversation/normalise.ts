// SPDX-License-Identifier: Apache-2.0
import { isObject, type JsonObject } from '@forge/kube/objects/json.ts';
import type { Exchange } from './exchange.ts';
import { Placeholders } from './placeholders.ts';
import { readClaims } from './read-claims.ts';

/** Start and end of a conversation in milliseconds since the epoch. */
interface Span {
  began: number;
  ended: number;
}

/**
 * Replaces what inevitably differs between servers, and nothing else: uids, times of the conversation, generated
 * suffixes, allocated addresses, and resource versions. A value gets the same placeholder everywhere, so that
 * references stay comparable. A resource version becomes its position among the case's object versions; that of a list
 * or bookmark is the position of the newest object version it covers, since other cases write concurrently.
 */
export function normalise(exchanges: readonly Exchange[], span: Span): Exchange[] {
  const placeholders = new Placeholders();
  const versions = new Set<number>();
  for (const { body, events = [] } of exchanges) {
    const objects = events.filter(({ type }) => type !== 'BOOKMARK').map(({ object }) => object);
    for (const answer of [body, ...objects]) {
      visit(answer, (object) => {
        const version = versionOf(object);
        if (version !== undefined) versions.add(version);
        placeholders.note(object);
      });
    }
  }
  const order = [...versions].toSorted((a, b) => a - b);
  const placeOf = (version: string): string =>
    version === '0' ? version : `r${order.findLastIndex((each) => each <= Number(version)) + 1}`;

  function replace(value: unknown, field: string): unknown {
    if (typeof value === 'string') return replaceText(value, field);
    if (typeof value === 'number') return placeholders.number(value, field);
    if (Array.isArray(value)) return value.map((item) => replace(item, field));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [placeholders.text(key), replace(each, key)]));
  }

  function replaceText(text: string, field: string): unknown {
    const claims = field === 'token' ? readClaims(text) : undefined;
    if (claims !== undefined) return replace(claims, field);
    if (field === 'resourceVersion' && /^\d+$/.test(text)) return placeOf(text);
    if (field === 'continue') return readToken(text, placeOf);
    if (field === 'serverAddress') return '<address>';
    // The webhooks' CA is generated for each run.
    if (field === 'caBundle' && text.length > 100) return '<authority>';
    // Ages in Tables depend on the time of the run.
    if (field === 'cells' && /^\d+s$/.test(text)) return '<age>';
    if (isTimeWithin(text, span)) return text.includes('.') ? '<micro time>' : '<time>';
    return placeholders
      .text(text)
      .replace(goDifference, '')
      .replaceAll(versionsInText, (words) => words.replaceAll(/\d+/g, placeOf));
  }

  return exchanges.map((exchange) => replace(exchange, '') as Exchange);
}

/** Some errors end with a diff of two Go structs. */
const goDifference = /\n@@ -\d+[^]*$/;

/** Resource versions in messages: `resource version: 5 (9)`, `ResourceVersion in record (9)`, `current: 9`. */
const versionsInText = /(?:resource ?version[a-z ]*(?:: | \()|current: )\d+(?: \(\d+)?/gi;

/** Visits every object in a value, fields in alphabetical order, since field order may differ. */
function visit(value: unknown, found: (object: JsonObject) => void): void {
  if (Array.isArray(value)) for (const item of value) visit(item, found);
  if (!isObject(value)) return;
  found(value);
  for (const [, each] of Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) visit(each, found);
}

/** The resource version of an object that is neither a list nor a Table. */
function versionOf({ metadata, items, rows }: JsonObject): number | undefined {
  if (!isObject(metadata) || items !== undefined || rows !== undefined) return undefined;
  const version = Number(metadata['resourceVersion']);
  return version > 0 ? version : undefined;
}

/** A decoded continue token. */
function readToken(token: string, placeOf: (version: string) => string): string {
  const text = Buffer.from(token, 'base64url').toString();
  return text.startsWith('{') ? text.replace(/"rv":(\d+)/, (_, version: string) => `"rv":${placeOf(version)}`) : token;
}

/** Up to two hours in the future, for times such as the end of a grace period or token. */
const ahead = 2 * 3_600_000;

function isTimeWithin(text: string, { began, ended }: Span): boolean {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{6})?Z$/.test(text)) return false;
  const time = Date.parse(text);
  // Times are truncated to seconds.
  return time > began - 1000 && time < ended + ahead;
}
