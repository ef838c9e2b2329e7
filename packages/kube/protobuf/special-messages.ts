// SPDX-License-Identifier: Apache-2.0
import type { JsonObject } from '../objects/json.ts';
import type { DecodingLimits } from './message-decoder.ts';
import { WireReader } from './wire-reader.ts';

/** What special messages are decoded with. */
export interface SpecialDecoding {
  readonly limits: DecodingLimits;
  /** Reads an ordinary message. */
  readonly message: (name: string, bytes: Uint8Array) => JsonObject;
}

/** Messages whose JSON is not an object of their fields; null is no value. */
export const specialMessages: Readonly<Record<string, (bytes: Uint8Array, decoding: SpecialDecoding) => unknown>> = {
  Time: (bytes, decoding) => timeOf(bytes, 0, decoding),
  MicroTime: (bytes, decoding) => timeOf(bytes, 6, decoding),
  Quantity: (bytes, decoding) => text(lastOfEach(bytes, decoding)[1]),
  IntOrString(bytes, decoding) {
    const [, type, number = 0, string] = lastOfEach(bytes, decoding);
    return type === 1 ? text(string) : number;
  },
  FieldsV1: jsonOf,
  JSON: jsonOf,
  RawExtension: jsonOf,
  ExtraValue: (bytes, decoding) => all(bytes, 1, decoding).map(text),
  Verbs: (bytes, decoding) => all(bytes, 1, decoding).map(text),
  JSONSchemaPropsOrArray(bytes, decoding) {
    const list = all(bytes, 2, decoding).map((each) => decoding.message('JSONSchemaProps', encoded(each)));
    return list.length > 0 ? list : schemaOf(lastOfEach(bytes, decoding)[1], decoding);
  },
  JSONSchemaPropsOrBool(bytes, decoding) {
    const [, isAllowed, schema] = lastOfEach(bytes, decoding);
    return schemaOf(schema, decoding) ?? isAllowed === 1;
  },
  JSONSchemaPropsOrStringArray(bytes, decoding) {
    const list = all(bytes, 2, decoding).map(text);
    return list.length > 0 ? list : schemaOf(lastOfEach(bytes, decoding)[1], decoding);
  },
};

type Value = number | Uint8Array | undefined;

/** The values of a repeated field. */
function all(bytes: Uint8Array, wanted: number, { limits }: SpecialDecoding): Value[] {
  const values: Value[] = [];
  for (const { number, value } of new WireReader(bytes).fields('')) {
    limits.addValue();
    if (number === wanted) values.push(value);
  }
  return values;
}

/** The last value of each field, by its number, as Go reads them. */
function lastOfEach(bytes: Uint8Array, { limits }: SpecialDecoding): Value[] {
  const values: Value[] = [];
  for (const { number, value } of new WireReader(bytes).fields('')) {
    limits.addValue();
    if (number <= highestNumber) values[number] = value;
  }
  return values;
}

/** The highest number of a field of these messages. */
const highestNumber = 3;

function encoded(value: Value): Uint8Array {
  return value instanceof Uint8Array ? value : new Uint8Array();
}

function text(value: Value): string {
  return Buffer.from(encoded(value)).toString();
}

function jsonOf(bytes: Uint8Array, decoding: SpecialDecoding): unknown {
  const raw = encoded(lastOfEach(bytes, decoding)[1]);
  return raw.length === 0 ? null : decoding.limits.parseJson(raw);
}

function schemaOf(value: Value, { message }: SpecialDecoding): JsonObject | null {
  return value === undefined ? null : message('JSONSchemaProps', encoded(value));
}

/** A timestamp with this many fractional digits; null when the message is empty. */
function timeOf(bytes: Uint8Array, digits: number, decoding: SpecialDecoding): string | null {
  if (bytes.length === 0) return null;
  const [, seconds = 0, nanos = 0] = lastOfEach(bytes, decoding);
  const whole = new Date(Number(seconds) * 1000).toISOString().slice(0, -'.000Z'.length);
  const fraction = String(nanos).padStart(9, '0').slice(0, digits);
  return `${whole}${digits === 0 ? '' : `.${fraction}`}Z`;
}
