// SPDX-License-Identifier: Apache-2.0
import {
  duplicate,
  type FieldError,
  invalidValue,
  required,
  tooLong,
  tooMany,
  unsupported,
  wrongType,
} from './field-error.ts';
import { isObject, type JsonObject } from './json.ts';
import { fieldSchema, objectSchema } from './object-schema.ts';
import type { KubeObject } from './object.ts';
import type { Schema } from './schema.ts';

/** Where the object breaks its kind's schema, in the words of a real server; empty when nowhere. */
export function validate(object: KubeObject, schema: Schema): FieldError[] {
  const errors: FieldError[] = [];
  check(object, objectSchema(schema), '', errors);
  return errors;
}

function check(value: unknown, schema: Schema, field: string, errors: FieldError[]): void {
  if (value === null && schema.nullable === true) return;
  const mismatch = typeError(value, schema, field);
  if (mismatch !== undefined) {
    errors.push(mismatch);
    return;
  }
  if (schema.enum !== undefined && !schema.enum.includes(value)) errors.push(unsupported(field, value, schema.enum));
  if (typeof value === 'string') checkText(value, schema, field, errors);
  else if (typeof value === 'number') checkNumber(value, schema, field, errors);
  else if (Array.isArray(value)) checkList(value, schema, field, errors);
  else if (isObject(value)) checkObject(value, schema, field, errors);
}

function typeError(value: unknown, schema: Schema, field: string): FieldError | undefined {
  const { type, format } = schema;
  if (schema['x-kubernetes-int-or-string'] === true) {
    const isNumber = format === 'quantity' ? typeof value === 'number' : Number.isInteger(value);
    return isNumber || typeof value === 'string' ? undefined : wrongType(field, value, 'integer,string');
  }
  if (type === undefined) return undefined;
  switch (type) {
    case 'integer':
      return Number.isInteger(value) ? undefined : wrongType(field, value, type);
    case 'array':
      return Array.isArray(value) ? undefined : wrongType(field, value, type);
    case 'object':
      return isObject(value) ? undefined : wrongType(field, value, type);
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type ? undefined : wrongType(field, value, type);
  }
}

function checkText(text: string, schema: Schema, field: string, errors: FieldError[]): void {
  const { minLength = 0, maxLength = Infinity, pattern, format } = schema;
  // Characters outside the basic plane are two units of text.length.
  const length = minLength > 0 || maxLength < text.length ? Array.from(text).length : 0;
  if (length < minLength) {
    errors.push(invalidValue(field, text, `${field} in body should be at least ${minLength} chars long`));
  }
  if (length > maxLength) errors.push(tooLong(field, maxLength));
  if (pattern !== undefined && !new RegExp(pattern).test(text)) {
    errors.push(invalidValue(field, text, `${field} in body should match '${pattern}'`));
  }
  if (format === 'date-time' && !(dateTime.test(text) && Number.isFinite(Date.parse(text)))) {
    errors.push(invalidValue(field, text, `${field} in body must be of type date-time: ${JSON.stringify(text)}`));
  }
}

const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i;

function checkNumber(value: number, { minimum, maximum, format }: Schema, field: string, errors: FieldError[]): void {
  if (minimum !== undefined && value < minimum) {
    errors.push(invalidValue(field, value, `${field} in body should be greater than or equal to ${minimum}`));
  }
  if (maximum !== undefined && value > maximum) {
    errors.push(invalidValue(field, value, `${field} in body should be less than or equal to ${maximum}`));
  }
  if (format === 'int32' && Math.trunc(value) !== (value | 0)) {
    errors.push(invalidValue(field, value, `${field} in body must be of type int32: ${JSON.stringify(String(value))}`));
  }
}

function checkList(list: readonly unknown[], schema: Schema, field: string, errors: FieldError[]): void {
  const { items = {}, minItems = 0, maxItems = Infinity } = schema;
  const { length } = list;
  if (length < minItems) {
    errors.push(invalidValue(field, length, `${field} in body should have at least ${minItems} items`));
  }
  if (length > maxItems) errors.push(tooMany(field, length, maxItems));
  for (const [index, item] of list.entries()) check(item, items, `${field}[${index}]`, errors);
  checkUnique(list, schema, field, errors);
}

function checkUnique(list: readonly unknown[], schema: Schema, field: string, errors: FieldError[]): void {
  const type = schema['x-kubernetes-list-type'];
  if (type !== 'set' && type !== 'map') return;
  // Built-in kinds, which alone have patch strategies, let a key stand twice: environment variables do.
  if (schema['x-kubernetes-patch-strategy'] !== undefined) return;
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const seen = new Set<string>();
  for (const [index, item] of list.entries()) {
    const identity = type === 'map' && isObject(item) ? Object.fromEntries(keys.map((key) => [key, item[key]])) : item;
    const text = JSON.stringify(identity);
    if (seen.has(text)) errors.push(duplicate(`${field}[${index}]`, identity));
    seen.add(text);
  }
}

function checkObject(object: JsonObject, schema: Schema, field: string, errors: FieldError[]): void {
  const { minProperties = 0, maxProperties = Infinity } = schema;
  const names = Object.keys(object);
  const place = (name: string): string => (field === '' ? name : `${field}.${name}`);
  for (const name of schema.required ?? []) if (!Object.hasOwn(object, name)) errors.push(required(place(name)));
  if (names.length < minProperties) {
    errors.push(invalidValue(field, names.length, `${field} in body should have at least ${minProperties} properties`));
  }
  if (names.length > maxProperties) errors.push(tooMany(field, names.length, maxProperties));
  for (const name of names) check(object[name], fieldSchema(schema, name), place(name), errors);
}
