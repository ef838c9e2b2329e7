// SPDX-License-Identifier: Apache-2.0
import { isObject, type JsonObject } from '@forge/kube/json.ts';
import { definitionName } from '@forge/kube/kind-schema.ts';
import type { Kind } from '@forge/kube/kind.ts';
import type { KubeObject } from '@forge/kube/object.ts';
import { canonicalQuantity } from '@forge/kube/quantity.ts';
import type { Schema } from '@forge/kube/schema.ts';
import { objectShape, type Shape } from '@forge/kube/shape.ts';

/** Why a built-in object cannot be read as its type, in the words of a server written in Go; undefined when it can. */
export function decodingProblem(object: KubeObject, { kind, schema, version }: Kind): string | undefined {
  return new Decoder(kind, version).problem(object, objectShape(schema));
}

class Decoder {
  readonly #version: string;
  /** The fields on the way, and the struct that has the last of them. */
  readonly #fields: string[] = [];
  #struct: string;

  constructor(struct: string, version: string) {
    this.#struct = struct;
    this.#version = version;
  }

  problem(value: unknown, shape: Shape): string | undefined {
    const { schema } = shape;
    if (shape.isQuantity) return quantityProblem(value);
    if (schema['x-kubernetes-int-or-string'] === true) {
      return typeof value === 'string' || Number.isInteger(value) ? undefined : this.#mismatch(value, 'int32');
    }
    switch (schema.type) {
      case 'array':
        return Array.isArray(value) ? this.#problemInList(value, shape) : this.#mismatch(value, this.#typeName(schema));
      case 'object':
        return isObject(value) ? this.#problemInObject(value, shape) : this.#mismatch(value, this.#typeName(schema));
      case 'string':
        return typeof value === 'string' ? textProblem(value, schema) : this.#mismatch(value, 'string');
      case 'integer':
        return isInteger(value, schema) ? undefined : this.#mismatch(value, schema.format ?? 'int64');
      case 'number':
      case 'boolean':
        return typeof value === schema.type ? undefined : this.#mismatch(value, this.#typeName(schema));
      case undefined:
        break;
    }
    return undefined;
  }

  #problemInList(list: readonly unknown[], { items }: Shape): string | undefined {
    for (const item of list) {
      const problem = this.problem(item, items);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  #problemInObject(object: JsonObject, shape: Shape): string | undefined {
    const struct = this.#struct;
    const own = definitionName(shape.schema) ?? struct;
    for (const name in object) {
      const field = shape.field(name);
      const inside = field?.shape ?? shape.rest;
      if (inside === undefined) continue;
      // The keys of a map are no fields.
      if (field !== undefined) {
        this.#fields.push(name);
        this.#struct = own;
      }
      const problem = this.problem(object[name], inside);
      if (problem !== undefined) return problem;
      if (field !== undefined) this.#fields.pop();
    }
    this.#struct = struct;
    return undefined;
  }

  #mismatch(value: unknown, type: string): string {
    const place = `${this.#struct}.${this.#fields.join('.')}`;
    return `json: cannot unmarshal ${jsonType(value)} into Go struct field ${place} of type ${type}`;
  }

  #typeName(schema: Schema): string {
    const { type, format, items, additionalProperties } = schema;
    const name = definitionName(schema);
    if (type === 'array') return `[]${this.#typeName(items ?? {})}`;
    if (type === 'boolean') return 'bool';
    if (type === 'integer' || type === 'number') return format ?? 'int64';
    if (name !== undefined) return `${this.#version}.${name}`;
    return typeof additionalProperties === 'object' ? `map[string]${this.#typeName(additionalProperties)}` : 'string';
  }
}

function isInteger(value: unknown, { format }: Schema): boolean {
  return Number.isInteger(value) && (format !== 'int32' || (value as number) === ((value as number) | 0));
}

function quantityProblem(value: unknown): string | undefined {
  if (canonicalQuantity(String(value)) !== undefined) return undefined;
  return "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
}

function jsonType(value: unknown): string {
  if (typeof value === 'number') return Number.isInteger(value) ? 'number' : `number ${value}`;
  if (typeof value === 'boolean') return 'bool';
  return Array.isArray(value) ? 'array' : typeof value;
}

function textProblem(text: string, schema: Schema): string | undefined {
  if (schema.format === 'byte') return base64Problem(text);
  return schema.format === 'date-time' ? timeProblem(text, definitionName(schema) === 'MicroTime') : undefined;
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function base64Problem(text: string): string | undefined {
  if (base64.test(text)) return undefined;
  const bad = text.search(/[^A-Za-z0-9+/]/);
  return `illegal base64 data at input byte ${bad < 0 ? text.length - (text.length % 4) : bad}`;
}

const seconds = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

/** A time is told to the second and may have parts of it; a precise one must have six digits of them. */
function timeProblem(text: string, precise: boolean): string | undefined {
  const rest = seconds.test(text) ? text.slice('2006-01-02T15:04:05'.length) : undefined;
  const fits = precise ? /^\.\d{6}(?:Z|[+-]\d\d:\d\d)$/ : /^(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;
  if (rest !== undefined && fits.test(rest) && Number.isFinite(Date.parse(text))) return undefined;
  const layout = precise ? '2006-01-02T15:04:05.000000Z07:00' : '2006-01-02T15:04:05Z07:00';
  const expected = rest === undefined ? '2006' : precise ? '.000000' : 'Z07:00';
  return `parsing time ${JSON.stringify(text)} as "${layout}": cannot parse ${JSON.stringify(rest ?? text)} as "${expected}"`;
}
