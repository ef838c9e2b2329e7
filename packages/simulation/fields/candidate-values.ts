// SPDX-License-Identifier: Apache-2.0
import type { Schema } from '@forge/kube/schema/schema.ts';
import type { Property } from './schema-properties.ts';

/** A large value for fields without a maximum: the maximum of the type could create that many pods. */
const many = 12;
const greatest = { int32: 2 ** 31 - 1, int64: Number.MAX_SAFE_INTEGER };

/** Values that a property is set to, undefined to remove it: changed, at its bounds, beyond them, and of another type. */
export function candidateValues({ schema, value }: Property): unknown[] {
  const values = [undefined, ...(value === undefined ? [sampleOf(schema)] : []), ...valuesOfType(schema, value)];
  const isNew = (each: unknown, index: number) =>
    JSON.stringify(each) !== JSON.stringify(value) &&
    values.findIndex((other) => JSON.stringify(other) === JSON.stringify(each)) === index;
  return values.filter(isNew);
}

function valuesOfType(schema: Schema, value: unknown): unknown[] {
  if (schema['x-kubernetes-int-or-string'] === true) return [0, -1, 2, '50%', '', 'No number', {}];
  if (schema.type === 'integer') return integers(schema);
  if (schema.type === 'boolean') return [value !== true, 'yes'];
  if (schema.type === 'array') return lists(schema, value);
  return schema.type === 'object' ? objects(schema, value) : texts(schema, value);
}

function integers({ minimum = 0, maximum, format = 'int32' }: Schema): unknown[] {
  const beyond = maximum === undefined ? greatest[format as keyof typeof greatest] + 1 : maximum + 1;
  return [minimum, minimum - 1, maximum ?? many, beyond, -1, 1.5, '3'];
}

function texts({ enum: choices, maxLength }: Schema, value: unknown): unknown[] {
  if (choices !== undefined) return [...choices, '', 'No choice'];
  const bounds = maxLength === undefined ? [] : ['x'.repeat(maxLength), 'x'.repeat(maxLength + 1)];
  return [`${typeof value === 'string' ? value : 'x'}2`, '', 'two\nlines', ...bounds, 7];
}

function lists({ maxItems }: Schema, value: unknown): unknown[] {
  const [first] = Array.isArray(value) ? (value as unknown[]) : [];
  const tooMany = maxItems === undefined ? [] : [Array.from({ length: maxItems + 1 }, () => first)];
  return [[], ...(first === undefined ? [] : [[first, first]]), ...tooMany, {}];
}

function objects({ additionalProperties, maxProperties = 0 }: Schema, value: unknown): unknown[] {
  if (typeof additionalProperties !== 'object') return [{}, 'text', []];
  const [sample] = Object.values((value as object | undefined) ?? {}) as unknown[];
  const added = { ...(value as object | undefined), another: sample };
  const tooMany = Object.fromEntries(Array.from({ length: maxProperties + 1 }, (_, index) => [`k${index}`, sample]));
  return [{}, added, { '': sample }, ...(maxProperties > 0 ? [tooMany] : []), []];
}

/** A value with every field of the schema. */
function sampleOf(schema: Schema): unknown {
  const { properties = {}, items, additionalProperties } = schema;
  if (schema.type === 'integer') return schema.minimum ?? 1;
  if (schema.type === 'boolean') return true;
  if (schema.type === 'array') return items === undefined ? [] : [sampleOf(items)];
  if (schema.type !== 'object') return schema.enum?.[0] ?? 'x';
  return {
    ...Object.fromEntries(Object.entries(properties).map(([name, child]) => [name, sampleOf(child)])),
    ...(typeof additionalProperties === 'object' && { key: sampleOf(additionalProperties) }),
  };
}
