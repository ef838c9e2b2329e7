// SPDX-License-Identifier: Apache-2.0
import { invalidValue, type FieldError } from '../errors/field-error.ts';
import { isObject } from '../objects/json.ts';
import { fieldRule, type Rules } from './rules.ts';
import { rule } from './schema-types.ts';

/** A rule that stands in a schema as CEL and that a webhook checks with the same meaning. */
export interface CheckedRule extends Rules {
  /** The error of a value at this path; rules about changes need the value before. */
  errors: (path: string, self: unknown, oldSelf?: unknown) => FieldError[];
}

/** When a field of `self` counts as given. */
interface Given {
  cel: string;
  isGiven: (self: unknown) => boolean;
}

/** A field that is present. */
export const isSet = (field: string): Given => ({
  cel: `has(self.${field})`,
  isGiven: (self) => valueAt(self, `.${field}`) !== undefined,
});

/** A list that is not empty. */
export const hasItems = (field: string): Given => ({
  cel: `(has(self.${field}) && size(self.${field}) > 0)`,
  isGiven: (self) => ((valueAt(self, `.${field}`) ?? []) as unknown[]).length > 0,
});

/** One of the two is given, but not both. */
export const exactlyOne = (one: Given, other: Given, message: string): CheckedRule =>
  checkedRule(`${one.cel} != ${other.cel}`, message, (self) => one.isGiven(self) !== other.isGiven(self));

/** A field whose presence decides on a mode: it cannot be added or removed. */
export const immutableMode = (field: string, message: string): CheckedRule =>
  checkedRule(
    `has(self.${field}) == has(oldSelf.${field})`,
    message,
    (self, oldSelf) => isSet(field).isGiven(self) === isSet(field).isGiven(oldSelf),
  );

interface ImmutableOptions {
  /** Path below the value, such as `.clusterRef.name`, whose parent may be absent; the value itself when it is left out. */
  field?: string;
  /** What an empty text means. */
  fallback?: string;
  /** While this field is present, the value can change. */
  unless?: string;
}

/** A value that cannot change. */
export function immutable(message: string, { field = '', fallback, unless }: ImmutableOptions = {}): CheckedRule {
  const parent = field.slice(0, Math.max(0, field.lastIndexOf('.')));
  const effective = (name: string) => (fallback === undefined ? name + field : orDefault(name + field, fallback));
  const cel = [
    ...(unless === undefined ? [] : [`has(self.${unless})`]),
    ...(parent === '' ? [] : [`!has(self${parent})`, `!has(oldSelf${parent})`]),
    `${effective('self')} == ${effective('oldSelf')}`,
  ].join(' || ');
  const valueOf = (self: unknown) => {
    const value = valueAt(self, field);
    return value === '' ? (fallback ?? value) : value;
  };
  const holds = (self: unknown, oldSelf: unknown) =>
    (unless !== undefined && isSet(unless).isGiven(self)) ||
    [self, oldSelf].some((each) => valueAt(each, parent) === undefined) ||
    valueOf(self) === valueOf(oldSelf);
  return checkedRule(cel, message, holds, { field, valueOf });
}

/** A value of a CEL expression, or its default where it is empty. */
export const orDefault = (expression: string, value: string) => `(${expression} == '' ? '${value}' : ${expression})`;

function checkedRule(
  cel: string,
  message: string,
  holds: (self: unknown, oldSelf: unknown) => boolean,
  { field, valueOf }: { field: string; valueOf: (self: unknown) => unknown } = { field: '', valueOf: (self) => self },
): CheckedRule {
  return {
    ...(field === '' ? rule(cel, message) : fieldRule(field, cel, { message })),
    errors(path, self, oldSelf) {
      const isApplied = oldSelf !== undefined || !cel.includes('oldSelf');
      return isApplied && !holds(self, oldSelf) ? [invalidValue(path + field, valueOf(self), message)] : [];
    },
  };
}

/** The value at a path such as `.clusterRef.name`; the value itself when the path is empty. */
function valueAt(self: unknown, path: string): unknown {
  const names = path.split('.').slice(1);
  return names.reduce((value, name) => (isObject(value) ? value[name] : undefined), self);
}
