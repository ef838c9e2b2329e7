// SPDX-License-Identifier: Apache-2.0
import { mapItems } from '@forge/kube/objects/json.ts';

/** Applies defaults; returns the value itself when nothing is missing. */
export type Defaults<T> = (value: T) => T;

/** Default values for fields that are missing or empty strings, and nested defaults for present fields. */
export function defaults<T extends object>(
  missing: NoInfer<{ readonly [K in keyof T]?: T[K] }>,
  inside: NoInfer<{ readonly [K in keyof T]?: Defaults<NonNullable<T[K]>> }> = {},
): Defaults<T> {
  const absent = Object.keys(missing) as (keyof T)[];
  const nested = Object.entries(inside).map(([field, fill]) => ({
    field: field as keyof T,
    fill: fill as Defaults<unknown>,
  }));
  return (object) => {
    let copy: T | undefined;
    for (const field of absent) {
      const value = object[field];
      if (value === undefined || value === '') (copy ??= { ...object })[field] = missing[field] as T[keyof T];
    }
    for (const { field, fill } of nested) {
      const value = (copy ?? object)[field];
      if (value === undefined || value === null) continue;
      const filled = fill(value) as T[keyof T];
      if (filled !== value) (copy ??= { ...object })[field] = filled;
    }
    return copy ?? object;
  };
}

/** Defaults for every item of a list. */
export function eachItem<T>(fill: Defaults<T>): Defaults<T[]> {
  return (list) => mapItems(list, fill as Defaults<unknown>) as T[];
}

/** Applies several defaults in order. */
export function chain<T>(...fills: readonly Defaults<T>[]): Defaults<T> {
  return (value) => fills.reduce((filled, fill) => fill(filled), value);
}

/** Unset times and lists, serialized as null; the types do not allow null, since clients should not send it. */
export const unset = null as never;
