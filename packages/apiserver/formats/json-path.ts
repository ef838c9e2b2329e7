// SPDX-License-Identifier: Apache-2.0
import { isObject } from '@forge/kube/objects/json.ts';

/** One segment of a path: a field, a list index, all items, or the items that match a filter. */
type Segment =
  | { field: string }
  | { index: number }
  | { all: true }
  | { filter: { path: Segment[]; operator: string; value: unknown } };

const token =
  /\.?\[\?\(@(?<path>(?:\.[\w-]+|\['[^']*'\])+)\s*(?<operator>==|!=)\s*(?<value>'[^']*'|"[^"]*"|true|false|-?\d+)\)\]|\.?\['(?<quoted>[^']*)'\]|\.?\[(?<index>-?\d+|\*)\]|\.(?<field>(?:\\.|[^.[\]\\])+)/gy;

/**
 * Compiles the part of JSONPath that printer columns use: fields (`\.` escapes a dot), `['a.b']`, `[0]`, `[*]` and
 * `[?(@.type=="Ready")]`. The result returns all matching values. Throws a SyntaxError for anything else.
 */
export function jsonPath(text: string): (object: unknown) => unknown[] {
  const segments = parse(text.replace(/^\{(.*)\}$/, '$1').replace(/^(?![.[])/, '.'));
  return (object) => evaluate(segments, [object]);
}

function parse(text: string): Segment[] {
  const segments: Segment[] = [];
  let end = 0;
  for (const match of text.matchAll(token)) {
    segments.push(segmentOf(match.groups ?? {}));
    end = match.index + match[0].length;
  }
  if (end !== text.length)
    throw new SyntaxError(`cannot read JSONPath ${JSON.stringify(text)} after ${end} characters`);
  return segments;
}

function segmentOf({
  path,
  operator = '',
  value = '',
  quoted,
  index,
  field = '',
}: Record<string, string | undefined>): Segment {
  if (path !== undefined) return { filter: { path: parse(path), operator, value: literal(value) } };
  if (quoted !== undefined) return { field: quoted };
  if (index === '*') return { all: true };
  if (index !== undefined) return { index: Number(index) };
  return field === '*' ? { all: true } : { field: field.replaceAll(/\\(.)/g, '$1') };
}

function literal(text: string): unknown {
  return /^['"]/.test(text) ? text.slice(1, -1) : (JSON.parse(text) as unknown);
}

function evaluate(segments: readonly Segment[], start: readonly unknown[]): unknown[] {
  return segments.reduce<unknown[]>((values, segment) => values.flatMap((value) => step(segment, value)), [...start]);
}

function step(segment: Segment, value: unknown): unknown[] {
  if ('field' in segment) {
    return isObject(value) && Object.hasOwn(value, segment.field) ? [value[segment.field]] : [];
  }
  const items = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];
  if ('all' in segment) return items;
  if ('index' in segment)
    return Array.isArray(value) && items.at(segment.index) !== undefined ? [items.at(segment.index)] : [];
  const { path, operator, value: wanted } = segment.filter;
  return items.filter((item) => evaluate(path, [item]).includes(wanted) === (operator === '=='));
}
