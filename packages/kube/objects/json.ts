// SPDX-License-Identifier: Apache-2.0

/** A JSON object whose fields are not known beforehand. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether the value is a JSON object, not a list or null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether two JSON values are equal, whatever the order of fields. */
export function jsonEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => jsonEqual(item, b[index]));
  }
  if (Array.isArray(b)) return false;
  const other = b as JsonObject;
  let count = 0;
  for (const field in a) {
    if (!Object.hasOwn(other, field) || !jsonEqual((a as JsonObject)[field], other[field])) return false;
    count += 1;
  }
  for (const _ in other) count -= 1;
  return count === 0;
}

/** The object's own field of this name, not an inherited one such as `constructor`. */
export function fieldOf<T>(object: Readonly<Record<string, T>>, field: string): T | undefined {
  return Object.hasOwn(object, field) ? object[field] : undefined;
}

/** The object with one field set, or removed when the value is undefined; the object itself when nothing changes. */
export function withField<T extends object>(object: T, field: string, value: unknown): T {
  if (value === undefined) {
    if (!Object.hasOwn(object, field)) return object;
    const { [field]: _, ...rest } = object as JsonObject;
    return rest as T;
  }
  return Object.hasOwn(object, field) && (object as JsonObject)[field] === value
    ? object
    : { ...object, [field]: value };
}

/** Like `withField`, for many fields, each at most once. */
export function withFields(object: JsonObject, fields: Iterable<readonly [string, unknown]>): JsonObject {
  let copy: Record<string, unknown> | undefined;
  for (const [field, value] of fields) {
    const isSet = Object.hasOwn(object, field);
    if (value === undefined ? !isSet : isSet && object[field] === value) continue;
    copy ??= { ...object };
    if (value === undefined) delete copy[field];
    else setField(copy, field, value);
  }
  return copy ?? object;
}

/** Sets an own field, also for names such as `__proto__`. */
export function setField(object: Record<string, unknown>, field: string, value: unknown): void {
  if (field !== '__proto__') object[field] = value;
  else Object.defineProperty(object, field, { value, writable: true, enumerable: true, configurable: true });
}

/**
 * The object with each field's value mapped, or removed when that returns undefined; itself when nothing changes. The
 * context is passed to each call, so that a walk needs no closure for every object.
 */
export function mapFields<T>(
  object: JsonObject,
  change: (value: unknown, field: string, context: T) => unknown,
  context?: T,
): JsonObject {
  let copy: Record<string, unknown> | undefined;
  let isShrunk = false;
  for (const field in object) {
    const value = object[field];
    const changed = change(value, field, context as T);
    if (isShrunk) {
      if (changed !== undefined) setField(copy as Record<string, unknown>, field, changed);
    } else if (changed === undefined && value !== undefined) {
      // A new object: deleting fields would make the object slow.
      copy = fieldsBefore(copy ?? object, field);
      isShrunk = true;
    } else if (changed !== value) {
      setField((copy ??= { ...object }), field, changed);
    }
  }
  return copy ?? object;
}

function fieldsBefore(object: JsonObject, end: string): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const field in object) {
    if (field === end) break;
    setField(fields, field, object[field]);
  }
  return fields;
}

/** The list with each item changed; itself when none is. */
export function mapItems<T>(
  list: readonly unknown[],
  change: (item: unknown, index: number, context: T) => unknown,
  context?: T,
): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let index = 0; index < list.length; index += 1) {
    const changed = change(list[index], index, context as T);
    if (changed !== list[index]) (copy ??= [...list])[index] = changed;
  }
  return copy ?? list;
}
