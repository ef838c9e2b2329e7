// SPDX-License-Identifier: Apache-2.0
import { isObject, type JsonObject } from '@forge/kube/objects/json.ts';
import type { Exchange } from './exchange.ts';
import { Placeholders } from './placeholders.ts';
import { readClaims } from './read-claims.ts';

/** When a conversation took place, in milliseconds since the epoch. */
interface Span {
  began: number;
  ended: number;
}

/**
 * Replaces what no two servers can agree on, and nothing else: uids, times of the conversation itself, generated
 * suffixes, addresses the server chose, and resource versions. The same value gets the same placeholder everywhere, so
 * that who owns whom stays comparable. A resource version becomes its place in the order of the row's own object versions:
 * that of a list or a bookmark is the place of the newest object version it covers, since others write meanwhile.
 */
export function normalise(exchanges: readonly Exchange[], span: Span): Exchange[] {
  const madeUp = new Placeholders();
  const versions = new Set<number>();
  for (const { body, events = [] } of exchanges) {
    const objects = events.filter(({ type }) => type !== 'BOOKMARK').map(({ object }) => object);
    for (const answer of [body, ...objects]) {
      visit(answer, (object) => {
        const version = versionOf(object);
        if (version !== undefined) versions.add(version);
        madeUp.note(object);
      });
    }
  }
  const order = [...versions].toSorted((a, b) => a - b);
  const placeOf = (version: string): string =>
    version === '0' ? version : `r${order.findLastIndex((each) => each <= Number(version)) + 1}`;

  function replace(value: unknown, field: string): unknown {
    if (typeof value === 'string') return replaceText(value, field);
    if (typeof value === 'number') return madeUp.number(value, field);
    if (Array.isArray(value)) return value.map((item) => replace(item, field));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [madeUp.text(key), replace(each, key)]));
  }

  function replaceText(text: string, field: string): unknown {
    const claims = field === 'token' ? readClaims(text) : undefined;
    if (claims !== undefined) return replace(claims, field);
    if (field === 'resourceVersion' && /^\d+$/.test(text)) return placeOf(text);
    if (field === 'continue') return readToken(text, placeOf);
    if (field === 'serverAddress') return '<address>';
    // The webhooks' authority is new each time.
    if (field === 'caBundle' && text.length > 100) return '<authority>';
    // A Table tells ages: as fleeting as the times they are counted from.
    if (field === 'cells' && /^\d+s$/.test(text)) return '<age>';
    if (isTimeWithin(text, span)) return text.includes('.') ? '<micro time>' : '<time>';
    return madeUp
      .text(text)
      .replace(goDifference, '')
      .replaceAll(versionsInWords, (words) => words.replaceAll(/\d+/g, placeOf));
  }

  return exchanges.map((exchange) => replace(exchange, '') as Exchange);
}

/** Some refusals end in what differs between two structs of the server's own language, as a patch of their dumps. */
const goDifference = /\n@@ -\d+[^]*$/;

/** As messages tell them: `resource version: 5 (9)`, `ResourceVersion in record (9)`, `current: 9`. */
const versionsInWords = /(?:resource ?version[a-z ]*(?:: | \()|current: )\d+(?: \(\d+)?/gi;

/** Calls with every object in the value, fields in alphabetical order: servers need not agree on any other. */
function visit(value: unknown, found: (object: JsonObject) => void): void {
  if (Array.isArray(value)) for (const item of value) visit(item, found);
  if (!isObject(value)) return;
  found(value);
  for (const [, each] of Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) visit(each, found);
}

/** The version of an object that is no list. */
function versionOf({ metadata, items, rows }: JsonObject): number | undefined {
  if (!isObject(metadata) || items !== undefined || rows !== undefined) return undefined;
  const version = Number(metadata['resourceVersion']);
  return version > 0 ? version : undefined;
}

/** A continue token opened, so that what it says can be compared. */
function readToken(token: string, placeOf: (version: string) => string): string {
  const text = Buffer.from(token, 'base64url').toString();
  return text.startsWith('{') ? text.replace(/"rv":(\d+)/, (_, version: string) => `"rv":${placeOf(version)}`) : token;
}

/** Up to two hours ahead: some times are set in the future, such as the end of a grace period or of a token. */
const ahead = 2 * 3_600_000;

function isTimeWithin(text: string, { began, ended }: Span): boolean {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{6})?Z$/.test(text)) return false;
  const time = Date.parse(text);
  // Times are cut to whole seconds.
  return time > began - 1000 && time < ended + ahead;
}
