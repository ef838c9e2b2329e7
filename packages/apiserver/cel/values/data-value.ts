// SPDX-License-Identifier: Apache-2.0
import { isObject, jsonEqual, type JsonObject } from '@forge/kube/objects/json.ts';
import type { Schema } from '@forge/kube/schema/schema.ts';
import { parseSchemaDuration } from './duration-text.ts';
import { escapeName, unescapeName } from './escape-name.ts';
import { ListValue, type ListKind } from './list-value.ts';
import { MapValue } from './map-value.ts';
import { resourceSchema } from './resource-schema.ts';
import { parseTimestamp } from './timestamp-text.ts';
import { opaque } from './type.ts';
import { EvalError, Opaque, type Result, type Value } from './value.ts';

/** Wraps data as a CEL value by its schema. */
export function dataValue(data: unknown, schema: Schema): Result {
  if (data === null || data === undefined) {
    return schema.nullable === true ? null : new EvalError('invalid data, got null for schema with nullable=false');
  }
  if (schema['x-kubernetes-int-or-string'] === true) return intOrString(data);
  switch (schema.type) {
    case 'object':
      if (!isObject(data)) return typeError('a map', 'object');
      return new DataMap(data, schema['x-kubernetes-embedded-resource'] === true ? resourceSchema(schema) : schema);
    case 'array':
      return Array.isArray(data) ? listValue(data, schema) : typeError('an array', 'array');
    case 'string':
      return typeof data === 'string' ? textValue(data, schema.format) : typeError('string');
    case 'integer':
      return typeof data === 'number' && Number.isInteger(data) ? BigInt(data) : typeError('int');
    case 'number':
      return typeof data === 'number' ? data : typeError('float');
    case 'boolean':
      return typeof data === 'boolean' ? data : typeError('bool');
    case undefined:
  }
  return new PreservedValue(data);
}

function typeError(expected: string, type?: string): EvalError {
  const rest = type === undefined ? '' : ` for the provided schema with type=${type}`;
  return new EvalError(`invalid data, expected ${expected}${rest}`);
}

function intOrString(data: unknown): Result {
  if (typeof data === 'string') return data;
  if (typeof data === 'number' && Number.isInteger(data)) return BigInt(data);
  return new EvalError('invalid data, expected XIntOrString value to be either a string or integer');
}

function textValue(text: string, format = ''): Result {
  switch (format) {
    case 'byte':
      return Buffer.from(text, 'base64');
    case 'duration':
      return (
        parseSchemaDuration(text) ?? new EvalError(`Invalid duration ${text}: unable to parse ${text} as duration`)
      );
    case 'date':
    case 'date-time': {
      const parsed = parseTimestamp(format === 'date' ? `${text}T00:00:00Z` : text);
      return parsed ?? new EvalError(`Invalid ${format} formatted string ${text}`);
    }
    default:
      return text;
  }
}

function listValue(data: readonly unknown[], schema: Schema): Result {
  const items = schema.items ?? {};
  return ListValue.lazy(data.length, (index) => dataValue(data[index], items), listKind(schema));
}

function listKind(schema: Schema): ListKind {
  const type = schema['x-kubernetes-list-type'];
  if (type !== 'map') return { type: type ?? 'atomic' };
  return { type, keys: (schema['x-kubernetes-list-map-keys'] ?? []).map((key) => escapeName(key) ?? key) };
}

/** A data object, with declared fields or arbitrary keys. */
class DataMap extends MapValue {
  readonly #data: JsonObject;
  readonly #schema: Schema;
  readonly #read = new Map<string, Result>();
  #keys: readonly string[] | undefined;

  constructor(data: JsonObject, schema: Schema) {
    super();
    this.#data = data;
    this.#schema = schema;
  }

  get size(): number {
    return this.#names.length;
  }

  get keys(): readonly Value[] {
    const names = this.#names.filter((name) => this.#fieldSchema(name) !== undefined);
    return this.#declared ? names.map((name) => escapeName(name) ?? name) : names;
  }

  find(key: Value): Result | undefined {
    if (typeof key !== 'string') return new EvalError('no such overload');
    const known = this.#read.get(key);
    if (known !== undefined) return known;
    const name = this.#declared ? unescapeName(key) : key;
    if (name === undefined || !Object.hasOwn(this.#data, name)) return undefined;
    const data = this.#data[name];
    const schema = this.#fieldSchema(name);
    // A null field counts as absent.
    if (schema === undefined || (this.#declared && data === null)) return undefined;
    const value = dataValue(data, schema);
    this.#read.set(key, value);
    return value;
  }

  /** Fields without a schema: not readable, but relevant for equality. */
  get undeclared(): JsonObject {
    return Object.fromEntries(Object.entries(this.#data).filter(([name]) => this.#fieldSchema(name) === undefined));
  }

  get #declared(): boolean {
    return this.#schema.properties !== undefined;
  }

  get #names(): readonly string[] {
    return (this.#keys ??= Object.keys(this.#data));
  }

  #fieldSchema(name: string): Schema | undefined {
    const { properties, additionalProperties } = this.#schema;
    if (properties !== undefined) return Object.hasOwn(properties, name) ? properties[name] : undefined;
    return typeof additionalProperties === 'object' ? additionalProperties : undefined;
  }
}

/** Untyped data: rules can only compare it as part of its container. */
class PreservedValue extends Opaque {
  readonly type = opaque('unknown');
  readonly data: unknown;
  constructor(data: unknown) {
    super();
    this.data = data;
  }
  equals(other: Opaque): boolean {
    return other instanceof PreservedValue && jsonEqual(this.data, other.data);
  }
}

/** Compares the fields without a schema. */
export function undeclaredEqual(a: MapValue, b: MapValue): boolean {
  if (!(a instanceof DataMap) || !(b instanceof DataMap)) return true;
  return jsonEqual(a.undeclared, b.undeclared);
}
