// SPDX-License-Identifier: Apache-2.0
import type { Schema } from '@forge/kube/schema/schema.ts';
import { escapeName } from '../values/escape-name.ts';
import { resourceSchema } from '../values/resource-schema.ts';
import {
  bool,
  bytes,
  double,
  duration,
  dyn,
  int,
  listOf,
  mapOf,
  objectType,
  string,
  timestamp,
  type Type,
} from '../values/type.ts';

/** The CEL declaration of a schema: its type and size limits. */
export interface Declaration {
  readonly type: Type;
  /** Maximum characters, items or entries; 0 for scalars. */
  readonly maxSize: number;
  /** Minimum size as JSON in bytes. */
  readonly minBytes: number;
  readonly fields?: ReadonlyMap<string, Declaration>;
  readonly key?: Declaration;
  readonly element?: Declaration;
}

/** Maximum request size in bytes. */
export const maxRequestBytes = 3 * 1024 * 1024;

/** The declaration of a schema; undefined for untyped data, which rules cannot access. */
export function declarationOf(schema: Schema, isRoot: boolean, name = 'selfType'): Declaration | undefined {
  if (schema['x-kubernetes-int-or-string'] === true) return { type: dyn, maxSize: textSize(schema), minBytes: 1 };
  switch (schema.type) {
    case 'array':
      return listDeclaration(schema, name);
    case 'object':
      return objectDeclaration(isRoot ? resourceSchema(schema) : schema, name);
    case 'string':
      return textDeclaration(schema);
    case 'boolean':
      return { type: bool, maxSize: 0, minBytes: 4 };
    case 'number':
      return { type: double, maxSize: 0, minBytes: 1 };
    case 'integer':
      return { type: int, maxSize: 0, minBytes: 1 };
    case undefined:
  }
  return undefined;
}

/** The declaration of a nested schema. */
function childDeclaration(schema: Schema, name: string): Declaration | undefined {
  return declarationOf(schema, schema['x-kubernetes-embedded-resource'] === true, name);
}

function listDeclaration({ items, maxItems }: Schema, name: string): Declaration | undefined {
  const element = items === undefined ? undefined : childDeclaration(items, `${name}.@idx`);
  if (element === undefined) return undefined;
  const maxSize = maxItems ?? Math.floor((maxRequestBytes - 2) / (element.minBytes + 1));
  return { type: listOf(element.type), maxSize, minBytes: 2, element };
}

function objectDeclaration(schema: Schema, name: string): Declaration | undefined {
  const { additionalProperties, properties = {}, required = [], maxProperties } = schema;
  if (typeof additionalProperties === 'object') {
    const element = childDeclaration(additionalProperties, `${name}.@elem`);
    if (element === undefined) return undefined;
    const maxSize = maxProperties ?? Math.floor((maxRequestBytes - 2) / (element.minBytes + 6));
    const key = { type: string, maxSize: 0, minBytes: 2 };
    return { type: mapOf(string, element.type), maxSize, minBytes: 2, key, element };
  }
  const fields = new Map<string, Declaration>();
  let minBytes = 2;
  for (const [field, child] of Object.entries(properties)) {
    const escaped = escapeName(field);
    const declared = childDeclaration(child, `${name}.${escaped}`);
    if (declared === undefined) continue;
    if (escaped !== undefined) fields.set(escaped, declared);
    if (required.includes(field) && child.default === undefined) {
      minBytes += Buffer.byteLength(field) + declared.minBytes + 4;
    }
  }
  const types = new Map([...fields].map(([field, { type }]): [string, Type] => [field, type]));
  return { type: objectType(name, types), maxSize: 0, minBytes, fields };
}

function textDeclaration(schema: Schema): Declaration {
  switch (schema.format ?? '') {
    case 'byte':
      return { type: bytes, maxSize: schema.maxLength ?? maxRequestBytes - 2, minBytes: 2 };
    case 'duration':
      return { type: duration, maxSize: 32, minBytes: 3 };
    case 'date':
      return { type: timestamp, maxSize: 12, minBytes: 12 };
    case 'date-time':
      return { type: timestamp, maxSize: 32, minBytes: 21 };
    default:
      return { type: string, maxSize: textSize(schema), minBytes: 2 };
  }
}

/** A character takes up to four bytes. */
function textSize({ maxLength, enum: values = [] }: Schema): number {
  if (maxLength !== undefined) return maxLength * 4;
  if (values.length === 0) return maxRequestBytes - 2;
  return Math.max(...values.map((value) => (typeof value === 'string' ? Buffer.byteLength(value) : 0)));
}
