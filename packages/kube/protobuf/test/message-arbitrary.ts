// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import type { JsonObject } from '../../objects/json.ts';
import { messages, type MessageField } from '../messages.ts';

/** Any object of a message in the JSON that Go writes: without the zero values and empty lists that Go omits. */
export function messageArbitrary(name: string, depth = 2): fc.Arbitrary<JsonObject> {
  const fields = Object.values(messages[name] ?? {}).filter(({ type }) => depth > 0 || type in scalars);
  const own = fields.flatMap((field) => (field.name === undefined ? [] : [[field.name, valueOf(field, depth)]]));
  const inlined = fields.filter((field) => field.name === undefined);
  return fc
    .tuple(
      fc.record(Object.fromEntries(own) as Record<string, fc.Arbitrary<unknown>>, { requiredKeys: [] }),
      ...inlined.map(({ type }) => messageArbitrary(type, depth - 1)),
    )
    .map((parts) => Object.assign({}, ...parts) as JsonObject);
}

function valueOf({ type, many, zero }: MessageField, depth: number): fc.Arbitrary<unknown> {
  const one = scalars[type] ?? specials[type]?.(depth - 1) ?? messageArbitrary(type, depth - 1);
  if (many === 'list') return fc.array(one, { minLength: 1, maxLength: 3 });
  if (many === 'map') return fc.dictionary(text, one, { minKeys: 1, maxKeys: 3, noNullPrototype: true });
  return zero === true || !(type in scalars) ? one : one.filter((value) => !zeros.includes(value));
}

const zeros: readonly unknown[] = ['', 0, false];
const text = fc.string({ unit: 'grapheme' });

const scalars: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  string: text,
  bool: fc.boolean(),
  int32: fc.integer(),
  int64: fc.maxSafeInteger(),
  float64: fc.double({ noNaN: true }),
  '[]byte': fc.uint8Array({ maxLength: 9 }).map((bytes) => Buffer.from(bytes).toString('base64')),
};

const seconds = fc
  .date({ min: new Date('0001-01-02'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, -'.000Z'.length));
const json = fc.jsonValue().filter((value) => value !== null);

const specials: Readonly<Record<string, (depth: number) => fc.Arbitrary<unknown>>> = {
  Time: () => seconds.map((time) => `${time}Z`),
  MicroTime: () =>
    fc.tuple(seconds, fc.nat(999_999)).map(([time, micros]) => `${time}.${String(micros).padStart(6, '0')}Z`),
  Quantity: () => text,
  IntOrString: () => fc.oneof(fc.integer(), text),
  FieldsV1: () => json,
  JSON: () => json,
  RawExtension: () => json,
  ExtraValue: () => fc.array(text),
  Verbs: () => fc.array(text),
  JSONSchemaPropsOrArray: (depth) => fc.oneof(schema(depth), fc.array(schema(depth), { minLength: 1, maxLength: 2 })),
  JSONSchemaPropsOrBool: (depth) => fc.oneof(schema(depth), fc.boolean()),
  JSONSchemaPropsOrStringArray: (depth) => fc.oneof(schema(depth), fc.array(text, { minLength: 1 })),
};

function schema(depth: number): fc.Arbitrary<JsonObject> {
  return messageArbitrary('JSONSchemaProps', depth);
}
