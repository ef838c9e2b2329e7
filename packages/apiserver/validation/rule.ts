// SPDX-License-Identifier: Apache-2.0
import type { FieldError } from '@forge/kube/errors/field-error.ts';
import { jsonEqual } from '@forge/kube/objects/json.ts';
import { Inspection, type Rule } from './inspection.ts';

/** A rule about an update; old and new value are present. */
export type ChangeRule<T> = (value: T, before: T, at: Inspection) => void;

/** Combines the rules of a kind: for every object, and for updates. */
export function validation<T>(
  rule: Rule<T>,
  changeRule?: ChangeRule<T>,
  order: 'rule first' | 'change first' = 'rule first',
) {
  return (object: T, before: T | undefined): FieldError[] => {
    const inspection = new Inspection();
    if (order === 'rule first') rule(object, inspection);
    if (before !== undefined) changeRule?.(object, before, inspection);
    if (order === 'change first') rule(object, inspection);
    return inspection.errors;
  };
}

/** Rules for some of an object's fields. */
export type FieldRules<T> = { readonly [K in keyof T]?: Rule<NonNullable<T[K]>> };

/** A rule for each field, in this order; a missing object has no fields. */
export function fields<T extends object>(rules: NoInfer<FieldRules<T>>): Rule<T> {
  const fieldRules = Object.entries<Rule<unknown>>(rules as Record<string, Rule<unknown>>).map(([name, rule]) => {
    return { name: name as keyof T & string, rule, always: appliesToMissing(rule) };
  });
  return (object, at) => {
    if (object === undefined) return;
    for (const { name, rule, always } of fieldRules) {
      const value = object[name] ?? undefined;
      if (always || value !== undefined) at.inside(name, value, rule);
    }
  };
}

/** Whether the rule applies to missing values; most do not, and most fields are missing. */
function appliesToMissing(rule: Rule<unknown>): boolean {
  const inspection = new Inspection();
  rule(undefined, inspection);
  return inspection.errors.length > 0;
}

/** The rule for every item of a list. */
export function each<T>(rule: Rule<T>): Rule<readonly T[]> {
  return (list = [], at) => {
    for (let index = 0; index < list.length && !at.isFull; index += 1) at.inside(index, list[index], rule);
  };
}

/** All of these rules, in order. */
export function all<T>(...rules: readonly Rule<T>[]): Rule<T> {
  return (value, at) => {
    for (const rule of rules) rule(value, at);
  };
}

/** A rule for present values only. */
export function given<T>(rule: (value: T, at: Inspection) => void): Rule<T> {
  return (value, at) => {
    if (value !== undefined) rule(value, at);
  };
}

/** The indexes of values that a list has earlier, too. */
export function repeatedIndexes(list: readonly unknown[]): ReadonlySet<number> {
  const seen = new Set<unknown>();
  const repeated = new Set<number>();
  for (const [index, value] of list.entries()) {
    if (seen.has(value)) repeated.add(index);
    seen.add(value);
  }
  return repeated;
}

/** List items must have distinct keys; items without one are skipped. */
export function unique<T extends object>(field: keyof T & string): Rule<readonly T[]> {
  return (list = [], at) => {
    if (list.length < 2) return;
    const seen = new Set<unknown>();
    for (let index = 0; index < list.length && !at.isFull; index += 1) {
      const value = list[index]?.[field];
      if (seen.has(value)) at.inside(index, value, () => at.duplicate(value, field));
      if (value !== undefined && value !== '') seen.add(value);
    }
  };
}

/** These fields are immutable. */
export function fixed<T extends object>(...names: readonly (keyof T & string)[]): ChangeRule<T> {
  return (object, before, at) => {
    for (const name of names) if (!jsonEqual(object[name], before[name])) at.immutable(object[name], name);
  };
}

/** A rule about the update of a field that is present before and after. */
export function change<T extends object, K extends keyof T & string>(
  field: K,
  rule: ChangeRule<NonNullable<T[K]>>,
): ChangeRule<T> {
  return (object, before, at) => {
    const old = before[field];
    if (old === undefined || old === null) return;
    at.inside(field, object[field] as NonNullable<T[K]> | undefined, (value) => {
      if (value !== undefined) rule(value, old, at);
    });
  };
}

/** Whether two objects are equal except for these fields. */
export function equalExcept<T extends object>(free: readonly (keyof T & string)[], object: T, before: T): boolean {
  const names = new Set([...Object.keys(object), ...Object.keys(before)] as (keyof T & string)[]);
  return [...names].every((field) => free.includes(field) || jsonEqual(object[field], before[field]));
}
