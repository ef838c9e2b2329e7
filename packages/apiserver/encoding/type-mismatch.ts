// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { definitionName } from '@forge/kube/schema/kind-schema.ts';
import type { Schema } from '@forge/kube/schema/schema.ts';
import { anything, type Shape } from '@forge/kube/schema/shape.ts';

/** Identifies the Go type of an object. */
export type GoType = Pick<Kind, 'kind' | 'version'>;

/** Location of a value in an object. */
interface Place {
  kind: GoType;
  /** The shape of the whole object. */
  root: Shape;
  steps: readonly (string | number)[];
}

/** Go's error message for a value of the wrong type. */
export function typeMismatch(value: unknown, shape: Shape, place: Place): string {
  const type = shape.isIntOrString ? 'int32' : typeName(shape.schema, place.kind.version);
  return `json: cannot unmarshal ${jsonType(value, type)} into Go struct field ${fieldAt(place)} of type ${type}`;
}

/** The struct of the last field on the path and all field names; map keys and list items are left out. */
function fieldAt({ kind, root, steps }: Place): string {
  let struct = kind.kind;
  let shape = root;
  const fields: string[] = [];
  for (const step of steps) {
    const field = typeof step === 'string' ? shape.field(step) : undefined;
    if (field !== undefined) {
      struct = structName(shape.schema) ?? struct;
      fields.push(field.name);
    }
    shape = field?.shape ?? (typeof step === 'number' ? shape.items : shape.rest) ?? anything;
  }
  return [struct, ...fields].join('.');
}

/** The Go struct of a schema: the name of its definition without the group. */
function structName(schema: Schema): string | undefined {
  return definitionName(schema)?.split('.').at(-1);
}

function typeName(schema: Schema, version: string): string {
  const { type, format, items, additionalProperties } = schema;
  const name = structName(schema);
  if (type === 'string') return type;
  if (type === 'array') return `[]${typeName(items ?? {}, version)}`;
  if (type === 'boolean') return 'bool';
  if (type === 'integer' || type === 'number') return format ?? 'int64';
  if (name !== undefined) return `${version}.${name}`;
  if (typeof additionalProperties !== 'object') return 'string';
  return `map[string]${typeName(additionalProperties, version)}`;
}

/** Go's name of a JSON value; numbers are quoted only where an integer is expected. */
function jsonType(value: unknown, type: string): string {
  if (typeof value === 'number') return type.startsWith('int') ? `number ${value}` : 'number';
  if (typeof value === 'boolean') return 'bool';
  return Array.isArray(value) ? 'array' : typeof value;
}
