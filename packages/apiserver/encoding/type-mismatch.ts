// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { definitionName } from '@forge/kube/schema/kind-schema.ts';
import type { Schema } from '@forge/kube/schema/schema.ts';
import { anything, type Shape } from '@forge/kube/schema/shape.ts';

/** What Go calls the type of an object. */
export type GoType = Pick<Kind, 'kind' | 'version'>;

/** Where in an object a value stands. */
interface Place {
  kind: GoType;
  /** The shape of the whole object. */
  root: Shape;
  steps: readonly (string | number)[];
}

/** What a server written in Go says of a value that is not of its type. */
export function typeMismatch(value: unknown, shape: Shape, place: Place): string {
  const type = shape.isIntOrString ? 'int32' : typeName(shape.schema, place.kind.version);
  return `json: cannot unmarshal ${jsonType(value, type)} into Go struct field ${fieldAt(place)} of type ${type}`;
}

/** The struct that has the last field on the way, and all fields on it; keys of maps and items of lists are none. */
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

/** What Go calls the struct of a schema: the name of its definition, without the group that some have before it. */
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

/** What a value is called where a value of this type should be: a number is quoted only where another would do. */
function jsonType(value: unknown, type: string): string {
  if (typeof value === 'number') return type.startsWith('int') ? `number ${value}` : 'number';
  if (typeof value === 'boolean') return 'bool';
  return Array.isArray(value) ? 'array' : typeof value;
}
