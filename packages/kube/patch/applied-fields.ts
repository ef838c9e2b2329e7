// SPDX-License-Identifier: Apache-2.0
import { fieldOf, setField, type JsonObject } from '../objects/json.ts';
import type { KubeObject } from '../objects/object.ts';
import type { FieldSet } from './field-set.ts';

/** The fields this manager applied last, as the server recorded them on the object. */
export function appliedFields(object: KubeObject, fieldManager: string): FieldSet | undefined {
  const entry = object.metadata.managedFields?.find(
    ({ manager, operation, subresource }) =>
      manager === fieldManager && operation === 'Apply' && subresource === undefined,
  );
  return entry?.fieldsV1 as FieldSet | undefined;
}

/** The part of a live object that a manager applied: what it would have to apply now to change nothing. */
export function extractFields(live: KubeObject, fields: FieldSet): object {
  const part = extractValue(live, fields) as Partial<KubeObject>;
  const { name, namespace } = live.metadata;
  return {
    ...part,
    // Nobody owns what identifies the object.
    apiVersion: live.apiVersion,
    kind: live.kind,
    metadata: { ...part.metadata, name, ...(namespace !== undefined && { namespace }) },
  };
}

function extractValue(value: unknown, fields: FieldSet): unknown {
  const steps = Object.keys(fields).filter((step) => step !== '.');
  // A field without fields of its own is owned as a whole.
  if (steps.length === 0) return value;
  if (Array.isArray(value)) return extractItems(value, steps, fields);
  const source = (value ?? {}) as JsonObject;
  const part: Record<string, unknown> = {};
  for (const step of steps) {
    const name = step.slice('f:'.length);
    const inner = fieldOf(source, name);
    if (inner !== undefined) setField(part, name, extractValue(inner, fields[step] ?? {}));
  }
  return part;
}

/** The owned parts of a list's items, of those that a step leads to. */
function extractItems(items: readonly unknown[], steps: readonly string[], fields: FieldSet): unknown[] {
  // Read once: a long list has as many steps as items.
  const ways = steps.map((step) => ({ step, leadsTo: itemMatcher(step) }));
  return items.flatMap((item) => {
    const way = ways.find(({ leadsTo }) => leadsTo(item));
    return way === undefined ? [] : [extractValue(item, fields[way.step] ?? {})];
  });
}

/** Tells whether a step leads to an item: `v:…` is the item itself, `k:{…}` are its keys. */
function itemMatcher(step: string): (item: unknown) => boolean {
  const selected: unknown = JSON.parse(step.slice('k:'.length));
  if (step.startsWith('v:')) return (item) => item === selected;
  const keys = Object.entries(selected as object);
  return (item) => keys.every(([key, value]) => fieldOf(item as JsonObject, key) === value);
}
