// SPDX-License-Identifier: Apache-2.0
import { isObject, type JsonObject } from '../objects/json.ts';
import { objectSchema } from './object-schema.ts';
import type { Schema } from './schema.ts';

/** A field its schema declares. */
export interface Field {
  readonly name: string;
  /** Its edge in a field set. */
  readonly edge: string;
  readonly shape: Shape;
}

/** A schema prepared for walking objects: derived facts are computed once, children on first use. */
export class Shape {
  // Copies of fields that every traversal needs: all shapes have the same hidden class, schemas do not.
  readonly schema: Schema;
  readonly type: Schema['type'];
  readonly format: string | undefined;
  /** The key fields of list items, sorted. */
  readonly itemKeys: readonly string[] | undefined;
  /** Whether list items have an identity, by keys or by value. */
  readonly isKeyed: boolean;
  /** Whether an object is owned as a whole (atomic). */
  readonly isAtomic: boolean;
  readonly isQuantity: boolean;
  readonly isIntOrString: boolean;
  /** Whether a zero value is omitted. */
  readonly omitsZero: boolean;
  /** Whether an object is a map with arbitrary keys. */
  readonly isMap: boolean;
  /** Whether the value is an embedded resource. */
  readonly isResource: boolean;
  /** Whether the schema restricts strings or numbers beyond their type. */
  readonly hasRules: boolean;
  /** Whether it has allOf, anyOf, oneOf or not. */
  readonly hasAlternatives: boolean;
  readonly required: readonly string[];
  readonly #fields = new Map<string, Field>();
  #items: Shape | undefined;
  #rest: Shape | undefined;
  #defaults: Field[] | undefined;
  #hasDefaults: boolean | undefined;
  #zero: JsonObject | undefined;

  constructor(schema: Schema) {
    this.schema = schema;
    this.type = schema.type;
    this.format = schema.format;
    const listType = schema['x-kubernetes-list-type'];
    this.itemKeys = listType === 'map' ? schema['x-kubernetes-list-map-keys']?.toSorted() : undefined;
    this.isKeyed = listType === 'set' || this.itemKeys !== undefined;
    this.isAtomic = schema['x-kubernetes-map-type'] === 'atomic';
    this.isQuantity = schema.format === 'quantity';
    this.isIntOrString = schema['x-kubernetes-int-or-string'] === true;
    this.omitsZero = schema.omitsZero === true;
    this.isMap = schema.additionalProperties !== undefined;
    this.isResource = schema['x-kubernetes-embedded-resource'] === true;
    this.hasRules = rules.some((rule) => schema[rule] !== undefined);
    this.hasAlternatives = alternatives.some((word) => schema[word] !== undefined);
    this.required = requiredOf(schema, this.isResource);
  }

  /** The field of this name when the schema declares it. */
  field(name: string): Field | undefined {
    const known = this.#fields.get(name);
    if (known !== undefined) return known;
    const { properties } = this.schema;
    if (properties === undefined || !Object.hasOwn(properties, name)) return undefined;
    const field = { name, edge: `f:${name}`, shape: shapeOf(properties[name] ?? {}) };
    this.#fields.set(name, field);
    return field;
  }

  /** The shape of the field of this name, declared or not; undefined when the schema allows no such field. */
  inside(name: string): Shape | undefined {
    return this.field(name)?.shape ?? this.rest;
  }

  /** The shape of fields the schema does not declare; undefined when it allows none. */
  get rest(): Shape | undefined {
    if (this.#rest !== undefined) return this.#rest;
    const { additionalProperties = false } = this.schema;
    if (typeof additionalProperties === 'object') this.#rest = shapeOf(additionalProperties);
    else if (additionalProperties || this.schema['x-kubernetes-preserve-unknown-fields'] === true)
      this.#rest = anything;
    return this.#rest;
  }

  /** The shape of a list's items. */
  get items(): Shape {
    return (this.#items ??= this.schema.items === undefined ? anything : shapeOf(this.schema.items));
  }

  /** The fields that have a default. */
  get defaults(): readonly Field[] {
    return (this.#defaults ??= this.#declared(({ default: value }) => value !== undefined));
  }

  /** Whether there are defaults here or anywhere below. */
  get hasDefaults(): boolean {
    return (this.#hasDefaults ??=
      this.defaults.length > 0 ||
      this.#declared(() => true).some(({ shape }) => shape.hasDefaults) ||
      (this.schema.items !== undefined && this.items.hasDefaults) ||
      (this.rest !== undefined && this.rest !== anything && this.rest.hasDefaults));
  }

  /** The Go zero values of the object's fields; empty for custom resources. */
  get zero(): JsonObject {
    return (this.#zero ??= Object.fromEntries(
      this.#declared(({ zero }) => zero !== undefined).map(({ name, shape }) => [name, zeroOf(shape)]),
    ));
  }

  #declared(wanted: (schema: Schema) => boolean): Field[] {
    const { properties = {} } = this.schema;
    const names = Object.keys(properties).filter((name) => wanted(properties[name] ?? {}));
    return names.flatMap((name) => this.field(name) ?? []);
  }
}

const rules = [
  'enum',
  'pattern',
  'format',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'multipleOf',
] as const satisfies (keyof Schema)[];

const alternatives = ['allOf', 'anyOf', 'oneOf', 'not'] as const satisfies (keyof Schema)[];

/** An embedded resource requires apiVersion and kind. */
function requiredOf({ required = [] }: Schema, isResource: boolean): readonly string[] {
  return isResource ? [...new Set(['apiVersion', 'kind', ...required])] : required;
}

/** The zero value of a field; undefined when it is omitted. */
export function zeroOf(shape: Shape): unknown {
  return isObject(shape.schema.zero) ? shape.zero : shape.schema.zero;
}

const shapes = new WeakMap<Schema, Shape>();

/** The shape of values of this schema. */
export function shapeOf(schema: Schema): Shape {
  const known = shapes.get(schema);
  if (known !== undefined) return known;
  const shape = new Shape(schema);
  shapes.set(schema, shape);
  return shape;
}

/** The shape of whole objects of a kind with this schema. */
export function objectShape(schema: Schema): Shape {
  return shapeOf(objectSchema(schema));
}

/** The shape of values without a schema. */
export const anything = shapeOf({ 'x-kubernetes-preserve-unknown-fields': true });
