// SPDX-License-Identifier: Apache-2.0
import { isObject, type JsonObject } from '../objects/json.ts';
import { objectSchema } from './object-schema.ts';
import type { Schema } from './schema.ts';

/** A field its schema declares. */
export interface Field {
  readonly name: string;
  /** Its way in a set of fields. */
  readonly edge: string;
  readonly shape: Shape;
}

/** A schema made ready to be walked: what every walk asks of it is worked out once, and what is below on first use. */
export class Shape {
  // What walks ask for at every step stands here too: shapes are all alike to the compiler, schemas are not.
  readonly schema: Schema;
  readonly type: Schema['type'];
  readonly format: string | undefined;
  /** Keys by which the items of a list are told apart, in alphabetical order. */
  readonly itemKeys: readonly string[] | undefined;
  /** Whether the items of a list are told apart, by such keys or by their values. */
  readonly isKeyed: boolean;
  /** Whether an object has one owner as a whole. */
  readonly isAtomic: boolean;
  readonly isQuantity: boolean;
  readonly isIntOrString: boolean;
  /** Whether a plain value is left out when it says nothing. */
  readonly omitsZero: boolean;
  /** Whether an object's fields are keys that its writers choose. */
  readonly isMap: boolean;
  /** Whether the value is an object of a kind within another. */
  readonly isResource: boolean;
  /** Whether the schema says more of a text or a number than its type. */
  readonly hasRules: boolean;
  /** Whether the value must also fit, or not fit, other schemas. */
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

  /** The shape of the field of this name, declared or not; undefined when the schema knows no such field. */
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

  /** What the object holds before anybody wrote to it: nothing, unless Go keeps its kind in a struct. */
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

/** An object within an object says what it is. */
function requiredOf({ required = [] }: Schema, isResource: boolean): readonly string[] {
  return isResource ? [...new Set(['apiVersion', 'kind', ...required])] : required;
}

/** What stands in a field that nobody wrote; undefined when it is left out then. */
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

/** The shape of what no schema describes. */
export const anything = shapeOf({ 'x-kubernetes-preserve-unknown-fields': true });
