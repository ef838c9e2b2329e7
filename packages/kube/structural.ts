// SPDX-License-Identifier: Apache-2.0
import { type FieldError, forbidden, invalidValue, required, unsupported } from './field-error.ts';
import type { Schema } from './schema.ts';
import { validateValue } from './validate.ts';

const preserve = 'x-kubernetes-preserve-unknown-fields';

/** Where a CRD's schema is not structural: what pruning, defaulting and apply need it to say and it does not. */
export function structuralErrors(schema: Schema, field: string): FieldError[] {
  if (schema.type === undefined) return [required(`${field}.type`, 'must not be empty at the root')];
  if (schema.type !== 'object') return [invalidValue(`${field}.type`, schema.type, 'must be object at the root')];
  return [...checkMetadata(schema, field), ...check(schema, field)];
}

/** The server itself knows what metadata are made of; a schema may only narrow how objects are called. */
function* checkMetadata({ properties }: Schema, field: string): Generator<FieldError> {
  const { type: _, description: __, properties: parts = {}, ...more } = properties?.['metadata'] ?? {};
  const others = Object.keys(parts).filter((name) => name !== 'name' && name !== 'generateName');
  if (others.length + Object.keys(more).length === 0) return;
  const detail = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
  yield forbidden(`${field}.properties[metadata]`, detail);
}

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

function* check(schema: Schema, field: string): Generator<FieldError> {
  const { type, properties, additionalProperties, items, default: value } = schema;
  if (type !== undefined && !types.includes(type)) yield unsupported(`${field}.type`, type, types);
  if ('uniqueItems' in schema && schema.uniqueItems === true) {
    const detail = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    yield forbidden(`${field}.uniqueItems`, detail);
  }
  if (schema[preserve] === false) yield invalidValue(`${field}.${preserve}`, false, 'must be true or undefined');
  if (value !== undefined) {
    for (const error of validateValue(value, schema)) {
      if (error.reason === 'FieldValueTypeInvalid')
        yield { ...error, field: [`${field}.default`, ...(error.field === '' ? [] : [error.field])].join('.') };
    }
  }
  if (type === 'array' && items === undefined) yield required(`${field}.items`, 'must be specified');
  if (properties !== undefined && additionalProperties !== undefined) {
    yield forbidden(`${field}.additionalProperties`, 'additionalProperties and properties are mutual exclusive');
  }
  if (schema.pattern !== undefined) yield* checkPattern(schema.pattern, `${field}.pattern`);
  if (schema['x-kubernetes-list-type'] === 'map') yield* checkMapKeys(schema, field);
  for (const [name, child] of Object.entries(properties ?? {})) {
    yield* checkTyped(child, `${field}.properties[${name}]`, 'object fields');
  }
  if (typeof additionalProperties === 'object') {
    yield* checkTyped(additionalProperties, `${field}.additionalProperties`, 'object fields');
  }
  if (items !== undefined) yield* checkTyped(items, `${field}.items`, 'array items');
}

function* checkTyped(schema: Schema, field: string, where: string): Generator<FieldError> {
  const isFree = schema['x-kubernetes-int-or-string'] === true || schema[preserve] === true;
  if (schema.type === undefined && !isFree) {
    yield required(`${field}.type`, `must not be empty for specified ${where}`);
  }
  yield* check(schema, field);
}

function* checkMapKeys(schema: Schema, field: string): Generator<FieldError> {
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  if (keys.length === 0) {
    yield required(`${field}.x-kubernetes-list-map-keys`, 'must not be empty if x-kubernetes-list-type is map');
  }
  for (const [index, key] of keys.entries()) {
    const property = schema.items?.properties?.[key];
    if (property === undefined) {
      const place = `${field}.x-kubernetes-list-map-keys[${index}]`;
      yield invalidValue(place, key, 'entries must all be names of item properties');
    } else if (property.default === undefined && schema.items?.required?.includes(key) !== true) {
      const place = `${field}.items.properties[${key}].default`;
      yield required(
        place,
        'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
      );
    }
  }
}

function* checkPattern(pattern: string, field: string): Generator<FieldError> {
  try {
    RegExp(pattern);
  } catch (error) {
    yield invalidValue(field, pattern, `must be a valid regular expression, but isn't: ${String(error)}`);
  }
}
