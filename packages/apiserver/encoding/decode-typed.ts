// SPDX-License-Identifier: Apache-2.0
import { FieldPath } from '@forge/kube/errors/field-path.ts';
import { isObject, mapFields, mapItems, type JsonObject } from '@forge/kube/objects/json.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { canonicalQuantity } from '@forge/kube/objects/quantity.ts';
import { withDefaults } from '@forge/kube/schema/apply-defaults.ts';
import { maxReported } from '@forge/kube/schema/prune.ts';
import type { Schema } from '@forge/kube/schema/schema.ts';
import { anything, objectShape, type Shape } from '@forge/kube/schema/shape.ts';
import { textProblem } from './text-problem.ts';
import { typeMismatch, type GoType } from './type-mismatch.ts';

/** A decoded object. */
export interface Decoded {
  /**
   * The object as a Go struct would hold it: without nulls, unknown fields and optional empty lists and maps, with
   * schema defaults and Go's zero values of required fields, quantities in canonical form. The input itself when
   * nothing changes.
   */
  object: KubeObject;
  /** Paths of unknown fields: `spec.containers[0].imge`. */
  dropped: readonly string[];
  /** Go's decoding error; undefined when there is none. */
  problem: string | undefined;
}

/** Decodes an object by a schema, like Go's JSON decoder. */
export function decodeTyped(object: KubeObject, kind: GoType, schema: Schema): Decoded {
  const shape = objectShape(schema);
  const decoder = new Decoder(kind, shape);
  const read = decoder.read(object, shape) as KubeObject;
  return { object: read, dropped: decoder.dropped, problem: decoder.problem };
}

class Decoder {
  readonly dropped: string[] = [];
  /** The first error. */
  problem: string | undefined;
  readonly #kind: GoType;
  readonly #root: Shape;
  readonly #path = new FieldPath();

  constructor(kind: GoType, root: Shape) {
    this.#kind = kind;
    this.#root = root;
  }

  read(value: unknown, shape: Shape): unknown {
    if (shape.isQuantity) return this.#readQuantity(value);
    if (shape.isIntOrString) {
      return typeof value === 'string' || Number.isInteger(value) ? value : this.#mismatch(value, shape);
    }
    switch (shape.type) {
      case 'array':
        if (Array.isArray(value)) return mapItems(value, this.#readItem, shape.items);
        break;
      case 'object':
        if (isObject(value)) return this.#readObject(value, shape);
        break;
      case 'string':
        if (typeof value === 'string') return this.#readText(value, shape);
        break;
      case 'integer':
        if (isInteger(value, shape)) return value;
        break;
      case 'number':
      case 'boolean':
        if (typeof value === shape.type) return value;
        break;
      case undefined:
        return value;
    }
    return this.#mismatch(value, shape);
  }

  #readObject(object: JsonObject, shape: Shape): JsonObject {
    if (shape.rest === anything && shape.schema.properties === undefined) return object;
    return mapFields(withZeros(withDefaults(object, shape), shape), this.#readField, shape);
  }

  readonly #readItem = (item: unknown, index: number, shape: Shape): unknown => this.#inside(index, item, shape);

  readonly #readField = (value: unknown, name: string, shape: Shape): unknown => {
    const field = shape.field(name);
    // A null in a map of strings becomes an empty string, as in Go.
    if (value === null) return field === undefined && shape.rest?.type === 'string' ? '' : undefined;
    if (field === undefined) return this.#readUndeclared(name, value, shape.rest);
    const kept = this.#inside(name, value, field.shape);
    return isLeftOut(kept, name, field.shape, shape) ? undefined : kept;
  };

  /** An undeclared field: a map entry, or an unknown field that is dropped. */
  #readUndeclared(name: string, value: unknown, rest: Shape | undefined): unknown {
    if (rest !== undefined) return this.#inside(name, value, rest);
    if (this.dropped.length < maxReported) this.dropped.push(this.#path.toString(name));
    return undefined;
  }

  #inside(step: string | number, value: unknown, shape: Shape): unknown {
    this.#path.enter(step);
    const read = this.read(value, shape);
    this.#path.leave();
    return read;
  }

  #readText(text: string, { format, schema }: Shape): string {
    if (format !== undefined) this.problem ??= textProblem(text, schema);
    return text;
  }

  #readQuantity(value: unknown): unknown {
    const text = typeof value === 'number' ? String(value) : value;
    const quantity = typeof text === 'string' ? canonicalQuantity(text) : undefined;
    if (quantity !== undefined) return quantity;
    this.problem ??= "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
    return value;
  }

  #mismatch(value: unknown, shape: Shape): unknown {
    this.problem ??= typeMismatch(value, shape, { kind: this.#kind, root: this.#root, steps: this.#path.steps });
    return value;
  }
}

/** Required fields get Go's zero values. */
function withZeros(object: JsonObject, shape: Shape): JsonObject {
  let copy: Record<string, unknown> | undefined;
  const { zero } = shape;
  for (const name in zero) {
    if ((object[name] ?? null) !== null) continue;
    const value = zero[name] ?? (shape.field(name)?.shape.type === 'array' ? [] : null);
    if (value !== null) (copy ??= { ...object })[name] = value;
  }
  return copy ?? object;
}

/** Whether Go omits the field (omitempty). Empty managedFields are kept: they reset the managers. */
function isLeftOut(value: unknown, name: string, field: Shape, { required }: Shape): boolean {
  if (field.omitsZero) return value === '' || value === 0 || value === false;
  return isEmptyCollection(value, field) && !required.includes(name) && name !== 'managedFields';
}

function isEmptyCollection(value: unknown, { type, isMap }: Shape): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return type === 'array' && value.length === 0;
  for (const _ in value) return false;
  return isMap;
}

function isInteger(value: unknown, { format }: Shape): boolean {
  return Number.isInteger(value) && (format !== 'int32' || (value as number) === ((value as number) | 0));
}
