// SPDX-License-Identifier: Apache-2.0
import { fieldOf, setField, type JsonObject } from '../objects/json.ts';
import type { KubeObject } from '../objects/object.ts';
import type { FieldSet } from './field-set.ts';

/** The fields that this manager applied last, as recorded in managedFields. */
export function appliedFields(object: KubeObject, fieldManager: string): FieldSet | undefined {
  const entry = object.metadata.managedFields?.find(
    ({ manager, operation, subresource }) =>
      manager === fieldManager && operation === 'Apply' && subresource === undefined,
  );
  return entry?.fieldsV1 as FieldSet | undefined;
}

/** The values of these fields in a live object: applying them again would change nothing. */
export function extractFields(live: KubeObject, fields: FieldSet): object {
  const part = extractValue(live, fields) as Partial<KubeObject>;
  const { name, namespace } = live.metadata;
  return {
    ...part,
    // The identity of the object is not in managedFields.
    apiVersion: live.apiVersion,
    kind: live.kind,
    metadata: { ...part.metadata, name, ...(namespace !== undefined && { namespace }) },
  };
}

function extractValue(value: unknown, fields: FieldSet): unknown {
  const edges = Object.keys(fields).filter((edge) => edge !== '.');
  // A field without nested fields is owned as a whole.
  if (edges.length === 0) return value;
  if (Array.isArray(value)) return extractItems(value, edges, fields);
  const source = (value ?? {}) as JsonObject;
  const part: Record<string, unknown> = {};
  for (const edge of edges) {
    const name = edge.slice('f:'.length);
    const inner = fieldOf(source, name);
    if (inner !== undefined) setField(part, name, extractValue(inner, fields[edge] ?? {}));
  }
  return part;
}

/** The owned parts of the list items that an edge matches. */
function extractItems(items: readonly unknown[], edges: readonly string[], fields: FieldSet): unknown[] {
  // Parsed once: a long list has as many edges as items.
  const matchers = edges.map((edge) => ({ edge, matches: itemMatcher(edge) }));
  return items.flatMap((item) => {
    const matcher = matchers.find(({ matches }) => matches(item));
    return matcher === undefined ? [] : [extractValue(item, fields[matcher.edge] ?? {})];
  });
}

/** Matches the items of an edge: `v:…` is the item itself, `k:{…}` are its keys. */
function itemMatcher(edge: string): (item: unknown) => boolean {
  const selected: unknown = JSON.parse(edge.slice('k:'.length));
  if (edge.startsWith('v:')) return (item) => item === selected;
  const keys = Object.entries(selected as object);
  return (item) => keys.every(([key, value]) => fieldOf(item as JsonObject, key) === value);
}
