// SPDX-License-Identifier: Apache-2.0
import { type FieldError, forbidden, invalidValue, reportedOf, required, unsupported } from '../errors/field-error.ts';
import { jsonEqual, fieldOf } from '../objects/json.ts';
import { compileRegex } from '../regex/compile-regex.ts';
import { WorkBudget, WorkBudgetExceeded } from '../regex/work-budget.ts';
import type { Schema } from './schema.ts';

const preserve = 'x-kubernetes-preserve-unknown-fields';

/** The errors of a CRD schema that is not structural. */
export function structuralErrors(schema: Schema, field: string, budget = new WorkBudget()): FieldError[] {
  if (schema.type === undefined) return [required(`${field}.type`, 'must not be empty at the root')];
  if (schema.type !== 'object') {
    const wrong = invalidValue(`${field}.type`, schema.type, 'must be object at the root');
    return types.includes(schema.type) ? [wrong] : [wrong, unsupported(`${field}.type`, schema.type, types)];
  }
  return reportedOf([...checkMetadata(schema, field), ...reportedOf(check(schema, field, budget))]);
}

/** The schema of metadata is implicit; only name and generateName may be restricted. */
function* checkMetadata({ properties }: Schema, field: string): Generator<FieldError> {
  const { type: _, description: __, properties: parts = {}, ...more } = properties?.['metadata'] ?? {};
  const others = Object.keys(parts).filter((name) => name !== 'name' && name !== 'generateName');
  if (others.length + Object.keys(more).length === 0) return;
  const detail = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
  yield forbidden(`${field}.properties[metadata]`, detail);
}

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

function* check(schema: Schema, field: string, budget: WorkBudget): Generator<FieldError> {
  const { type, properties, additionalProperties, items } = schema;
  if (type !== undefined && !types.includes(type)) yield unsupported(`${field}.type`, type, types);
  if ('uniqueItems' in schema && schema.uniqueItems === true) {
    const detail = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    yield forbidden(`${field}.uniqueItems`, detail);
  }
  if (schema[preserve] === false) yield invalidValue(`${field}.${preserve}`, false, 'must be true or undefined');
  if (type === 'array' && items === undefined) yield required(`${field}.items`, 'must be specified');
  if (Object.keys(properties ?? {}).length > 0 && (additionalProperties ?? true) !== true) {
    yield forbidden(`${field}.additionalProperties`, 'additionalProperties and properties are mutual exclusive');
  }
  if (schema.pattern !== undefined) yield* checkPattern(schema.pattern, `${field}.pattern`, budget);
  if (schema['x-kubernetes-list-type'] === 'map') yield* checkMapKeys(schema, field);
  for (const [name, child] of Object.entries(properties ?? {})) {
    yield* checkTyped(child, `${field}.properties[${name}]`, 'object fields', budget);
  }
  if (typeof additionalProperties === 'object') {
    yield* checkTyped(additionalProperties, `${field}.additionalProperties`, 'object fields', budget);
  }
  if (items !== undefined) yield* checkTyped(items, `${field}.items`, 'array items', budget);
  yield* checkAlternatives(schema, field, budget);
}

/** Alternatives (allOf, anyOf, oneOf, not) only restrict values of the schema around them. */
function* checkAlternatives(schema: Schema, field: string, budget: WorkBudget): Generator<FieldError> {
  const { anyOf = [], allOf = [], oneOf = [], not } = schema;
  // The anyOf of int-or-string is allowed.
  if (!jsonEqual(anyOf, integerOrString)) yield* checkEach(anyOf, `${field}.anyOf`, budget);
  yield* checkEach(allOf, `${field}.allOf`, budget);
  yield* checkEach(oneOf, `${field}.oneOf`, budget);
  if (not !== undefined) yield* checkAlternative(not, `${field}.not`, budget);
}

const integerOrString = [{ type: 'integer' }, { type: 'string' }];

function* checkEach(list: readonly Schema[], field: string, budget: WorkBudget): Generator<FieldError> {
  for (const [index, schema] of list.entries()) yield* checkAlternative(schema, `${field}[${index}]`, budget);
}

function* checkAlternative(schema: Schema, field: string, budget: WorkBudget): Generator<FieldError> {
  const { items, properties = {}, pattern } = schema;
  if (pattern !== undefined) yield* checkPattern(pattern, `${field}.pattern`, budget);
  yield* checkAlternatives(schema, field, budget);
  if (items !== undefined) yield* checkAlternative(items, `${field}.items`, budget);
  for (const [name, child] of Object.entries(properties)) {
    yield* checkAlternative(child, `${field}.properties[${name}]`, budget);
  }
  if ('metadata' in properties) {
    yield forbidden(`${field}.properties[metadata]`, 'must not be specified in a nested context');
  }
  for (const [word, what] of Object.entries(structuralOnly) as [keyof Schema, string][]) {
    if (schema[word] !== undefined && schema[word] !== false) {
      yield forbidden(`${field}.${word}`, `must be ${what} to be structural`);
    }
  }
}

/** Keywords that an alternative must not have, and the value they must have instead. */
const structuralOnly: { readonly [K in keyof Schema | 'title']?: 'empty' | 'false' | 'undefined' } = {
  default: 'undefined',
  type: 'empty',
  additionalProperties: 'undefined',
  title: 'empty',
  description: 'empty',
  nullable: 'false',
  'x-kubernetes-preserve-unknown-fields': 'false',
  'x-kubernetes-embedded-resource': 'false',
  'x-kubernetes-int-or-string': 'false',
  'x-kubernetes-list-map-keys': 'empty',
  'x-kubernetes-list-type': 'undefined',
  'x-kubernetes-map-type': 'undefined',
  'x-kubernetes-validations': 'empty',
};

function* checkTyped(schema: Schema, field: string, where: string, budget: WorkBudget): Generator<FieldError> {
  const isFree = schema['x-kubernetes-int-or-string'] === true || schema[preserve] === true;
  if (schema.type === undefined && !isFree) {
    yield required(`${field}.type`, `must not be empty for specified ${where}`);
  }
  yield* check(schema, field, budget);
}

function* checkMapKeys(schema: Schema, field: string): Generator<FieldError> {
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  if (keys.length === 0) {
    yield required(`${field}.x-kubernetes-list-map-keys`, 'must not be empty if x-kubernetes-list-type is map');
  }
  for (const [index, key] of keys.entries()) {
    const property = fieldOf(schema.items?.properties ?? {}, key);
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

function* checkPattern(pattern: string, field: string, budget: WorkBudget): Generator<FieldError> {
  try {
    const regex = compileRegex(pattern, budget);
    if (!(regex instanceof SyntaxError)) return;
    yield invalidValue(field, pattern, `must be a valid regular expression, but isn't: ${regex.message}`);
  } catch (error) {
    if (!(error instanceof WorkBudgetExceeded)) throw error;
    yield forbidden(field, 'the patterns of this schema take too long to compile: simplify them');
  }
}
