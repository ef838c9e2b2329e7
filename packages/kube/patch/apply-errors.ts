// SPDX-License-Identifier: Apache-2.0
import { maxFieldErrors } from '../errors/field-error.ts';
import { isObject, type JsonObject } from '../objects/json.ts';
import type { KubeObject } from '../objects/object.ts';
import type { Schema } from '../schema/schema.ts';
import { objectShape, type Shape } from '../schema/shape.ts';
import { formatEdge } from './field-set.ts';
import { edgeOf } from './list-items.ts';

/** Why an object cannot be applied, in the server's wording; empty when it can. */
export function applyErrors(applied: KubeObject, schema: Schema): string[] {
  const errors: string[] = [];
  check(applied, objectShape(schema), () => '', errors);
  return errors;
}

/** Formats the path of a value; called only for errors. */
type Place = () => string;

function check(value: unknown, shape: Shape, place: Place, problems: string[]): void {
  const { type } = shape.schema;
  if (value === null || value === undefined || type === undefined) return;
  if (type === 'object' && isObject(value)) checkObject(value, shape, place, problems);
  else if (type === 'array' && Array.isArray(value)) checkList(value, shape, place, problems);
  else if (typeof value !== (type === 'integer' ? 'number' : type)) problems.push(place() + mismatch(value, type));
  else if (type === 'object') problems.push(place() + mismatch(value, type));
}

function checkObject(object: JsonObject, shape: Shape, place: Place, problems: string[]): void {
  for (const name in object) {
    if (problems.length >= maxFieldErrors) return;
    const inside = shape.inside(name);
    if (inside === undefined) problems.push(`${place()}.${name}: field not declared in schema`);
    else check(object[name], inside, () => `${place()}.${name}`, problems);
  }
}

function checkList(list: readonly unknown[], shape: Shape, place: Place, problems: string[]): void {
  const seen = new Set<string>();
  for (const [index, item] of list.entries()) {
    if (problems.length >= maxFieldErrors) return;
    const edge = shape.isKeyed ? edgeOf(item, shape) : String(index);
    if (seen.has(edge)) problems.push(`${place()}: duplicate entries for key ${formatEdge(edge)}`);
    seen.add(edge);
    check(item, shape.items, () => place() + (shape.isKeyed ? formatEdge(edge) : `[${index}]`), problems);
  }
}

function mismatch(value: unknown, type: NonNullable<Schema['type']>): string {
  switch (type) {
    case 'object':
      return `: expected map, got &{${formatGo(value)}}`;
    case 'array':
      return `: expected list, got &{${formatGo(value)}}`;
    case 'boolean':
      return `: expected boolean, got &{${formatGo(value)}}`;
    case 'string':
      return `: expected string, got &value.valueUnstructured{Value:${formatGo(value)}}`;
    case 'integer':
    case 'number':
      return `: expected numeric (int or float), got ${goType(value)}`;
  }
}

/** A value as Go prints it. */
function formatGo(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(formatGo).join(' ')}]`;
  if (!isObject(value)) return String(value);
  const entries = Object.keys(value).toSorted();
  return `map[${entries.map((name) => `${name}:${formatGo(value[name])}`).join(' ')}]`;
}

function goType(value: unknown): string {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  return Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}';
}
