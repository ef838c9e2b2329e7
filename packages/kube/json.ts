// SPDX-License-Identifier: Apache-2.0

/** A JSON object whose fields are not known beforehand. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether the value is a JSON object, no list and not null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether two JSON values say the same; the order of fields does not count. */
export function jsonEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => jsonEqual(item, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && jsonEqual(a[key], b[key]))
  );
}

/** The object with one field set, or left out when the value is undefined; the object itself when that changes nothing. */
export function withField<T extends JsonObject>(object: T, field: string, value: unknown): T {
  if (value === undefined) {
    if (!Object.hasOwn(object, field)) return object;
    const { [field]: _, ...rest } = object;
    return rest as T;
  }
  return Object.hasOwn(object, field) && object[field] === value ? object : { ...object, [field]: value };
}

/** The object with each field's value changed, or left out when that gives undefined; itself when nothing changes. */
export function mapFields(object: JsonObject, change: (value: unknown, field: string) => unknown): JsonObject {
  let copy: Record<string, unknown> | undefined;
  for (const field of Object.keys(object)) {
    const changed = change(object[field], field);
    if (changed === object[field]) continue;
    copy ??= { ...object };
    if (changed === undefined) delete copy[field];
    else copy[field] = changed;
  }
  return copy ?? object;
}

/** The list with each item changed; itself when none is. */
export function mapItems(
  list: readonly unknown[],
  change: (item: unknown, index: number) => unknown,
): readonly unknown[] {
  const changed = list.map(change);
  return changed.every((item, index) => item === list[index]) ? list : changed;
}
