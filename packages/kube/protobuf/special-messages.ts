// SPDX-License-Identifier: Apache-2.0
import type { JsonObject } from '../objects/json.ts';
import { WireReader } from './wire-reader.ts';

/** Reads an ordinary message. */
type ReadMessage = (name: string, bytes: Uint8Array) => JsonObject;

/** Messages whose JSON is not an object of their fields; null is no value. */
export const specialMessages: Readonly<Record<string, (bytes: Uint8Array, message: ReadMessage) => unknown>> = {
  Time: (bytes) => timeOf(bytes, 0),
  MicroTime: (bytes) => timeOf(bytes, 6),
  Quantity: (bytes) => text(first(bytes, 1)),
  IntOrString(bytes) {
    return first(bytes, 1) === 1 ? text(first(bytes, 3)) : (first(bytes, 2) ?? 0);
  },
  FieldsV1: jsonOf,
  JSON: jsonOf,
  RawExtension: jsonOf,
  ExtraValue: (bytes) => all(bytes, 1).map(text),
  Verbs: (bytes) => all(bytes, 1).map(text),
  JSONSchemaPropsOrArray(bytes, message) {
    const list = all(bytes, 2).map((each) => message('JSONSchemaProps', encoded(each)));
    return list.length > 0 ? list : schemaOf(first(bytes, 1), message);
  },
  JSONSchemaPropsOrBool: (bytes, message) => schemaOf(first(bytes, 2), message) ?? first(bytes, 1) === 1,
  JSONSchemaPropsOrStringArray(bytes, message) {
    const list = all(bytes, 2).map(text);
    return list.length > 0 ? list : schemaOf(first(bytes, 1), message);
  },
};

type Value = number | Uint8Array | undefined;

function all(bytes: Uint8Array, wanted: number): Value[] {
  const fields = [...new WireReader(bytes).fields('')];
  return fields.filter(({ number }) => number === wanted).map(({ value }) => value);
}

function first(bytes: Uint8Array, wanted: number): Value {
  return all(bytes, wanted)[0];
}

function encoded(value: Value): Uint8Array {
  return value instanceof Uint8Array ? value : new Uint8Array();
}

function text(value: Value): string {
  return Buffer.from(encoded(value)).toString();
}

function jsonOf(bytes: Uint8Array): unknown {
  const raw = text(first(bytes, 1));
  return raw === '' ? null : (JSON.parse(raw) as unknown);
}

function schemaOf(value: Value, message: ReadMessage): JsonObject | null {
  return value === undefined ? null : message('JSONSchemaProps', encoded(value));
}

/** A timestamp with this many fractional digits; null when the message is empty. */
function timeOf(bytes: Uint8Array, digits: number): string | null {
  if (bytes.length === 0) return null;
  const [seconds, nanos] = [Number(first(bytes, 1) ?? 0), Number(first(bytes, 2) ?? 0)];
  const whole = new Date(seconds * 1000).toISOString().slice(0, -'.000Z'.length);
  const fraction = String(nanos).padStart(9, '0').slice(0, digits);
  return `${whole}${digits === 0 ? '' : `.${fraction}`}Z`;
}
