// SPDX-License-Identifier: Apache-2.0
import { Type, type Static, type TOptional, type TSchema, type TUnsafe } from 'typebox';
import type { Condition } from '../objects/object.ts';
import { definitionSchema } from './kind-schema.ts';
import type { Schema } from './schema.ts';

/** Schemas that TypeBox writes differently from Kubernetes: each gives the structural schema and the static type. */

/** One of these strings. */
export function choice<const T extends readonly string[]>(values: T, annotations: Schema = {}): TUnsafe<T[number]> {
  return typed({ type: 'string', enum: values, ...annotations });
}

/** A map from any string to values of one schema. */
export function mapOf<T extends TSchema>(values: T, annotations: Schema = {}): TUnsafe<Record<string, Static<T>>> {
  return typed({ type: 'object', additionalProperties: values, ...annotations });
}

/** A definition of the built-in kinds, embedded. */
export function embedded<T>(schema: Schema, annotations: Schema = {}): TUnsafe<T> {
  return typed({ ...schema, ...annotations });
}

const conditionFields: Readonly<Record<string, string>> = {
  type: 'Aspect that the condition is about, for example Ready.',
  status: 'True, False or Unknown.',
  reason: 'Reason of the status in one word, for programs.',
  message: 'Explanation of the status, for people.',
  lastTransitionTime: 'When the status last changed.',
  observedGeneration: 'Generation of the spec that the condition is about.',
};

/** The conditions in a resource's status: a list keyed by type, which several managers can share. */
export function conditions(): TOptional<TUnsafe<Condition[]>> {
  const { properties = {}, ...condition } = definitionSchema('Condition');
  const described = Object.entries(properties).map(([name, field]) => [
    name,
    { ...field, description: conditionFields[name] ?? '' },
  ]);
  const items = { ...condition, description: 'One condition.', properties: Object.fromEntries(described) };
  const description = 'Conditions last observed, one of every type.';
  return Type.Optional(
    typed<Condition[]>({
      type: 'array',
      items,
      description,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['type'],
    }),
  );
}

/** A CEL rule of a schema, and the message when it is violated. */
export function rule(expression: string, message: string): Pick<Schema, 'x-kubernetes-validations'> {
  return { 'x-kubernetes-validations': [{ rule: expression, message }] };
}

function typed<T>(schema: Schema): TUnsafe<T> {
  return schema as unknown as TUnsafe<T>;
}
