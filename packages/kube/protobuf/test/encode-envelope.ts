// SPDX-License-Identifier: Apache-2.0
import type { JsonObject } from '../../json.ts';
import { messages, type MessageField } from '../messages.ts';

/** An object as a client that speaks protobuf sends it, in the envelope of Kubernetes. */
export function encodeEnvelope(object: object): Buffer {
  const { apiVersion, kind, ...rest } = object as { apiVersion: string; kind: string };
  const type = Buffer.concat([lengthy(1, Buffer.from(apiVersion)), lengthy(2, Buffer.from(kind))]);
  return Buffer.concat([Buffer.from('k8s\0'), lengthy(1, type), lengthy(2, encodeMessage(kind, rest))]);
}

/** The fields of a message that the object has, in the order of their numbers. */
export function encodeMessage(name: string, object: JsonObject): Buffer {
  const fields = Object.entries(messages[name] ?? {});
  return Buffer.concat(fields.flatMap(([number, field]) => encodeField(Number(number), field, object)));
}

function encodeField(number: number, { name, type, many }: MessageField, object: JsonObject): Buffer[] {
  if (name === undefined) return [lengthy(number, encodeMessage(type, object))];
  const value = object[name];
  if (value === undefined) return [];
  if (many === 'list') return (value as unknown[]).map((item) => encodeValue(number, type, item));
  if (many === undefined) return [encodeValue(number, type, value)];
  return Object.entries(value as JsonObject).map(([key, item]) =>
    lengthy(number, Buffer.concat([lengthy(1, Buffer.from(key)), encodeValue(2, type, item)])),
  );
}

function encodeValue(number: number, type: string, value: unknown): Buffer {
  switch (type) {
    case 'bool':
    case 'int32':
    case 'int64':
      return numeric(number, Number(value));
    case 'float64': {
      const bytes = Buffer.alloc(8);
      bytes.writeDoubleLE(value as number);
      return Buffer.concat([varint((number << 3) | 1), bytes]);
    }
    case 'string':
      return lengthy(number, Buffer.from(value as string));
    case '[]byte':
      return lengthy(number, Buffer.from(value as string, 'base64'));
    default:
      return lengthy(number, (special[type] ?? ((inner) => encodeMessage(type, inner as JsonObject)))(value));
  }
}

const special: Readonly<Record<string, (value: unknown) => Buffer>> = {
  Time: (value) => numeric(1, Date.parse(value as string) / 1000),
  MicroTime(value) {
    const [, seconds = '', micros = ''] = /^(.*)\.(\d{6})Z$/.exec(value as string) ?? [];
    return Buffer.concat([numeric(1, Date.parse(`${seconds}Z`) / 1000), numeric(2, Number(micros) * 1000)]);
  },
  Quantity: (value) => lengthy(1, Buffer.from(value as string)),
  IntOrString: (value) =>
    typeof value === 'number'
      ? Buffer.concat([numeric(1, 0), numeric(2, value)])
      : Buffer.concat([numeric(1, 1), lengthy(3, Buffer.from(value as string))]),
  FieldsV1: (value) => lengthy(1, Buffer.from(JSON.stringify(value))),
  JSON: (value) => lengthy(1, Buffer.from(JSON.stringify(value))),
  ExtraValue: (value) => Buffer.concat((value as string[]).map((item) => lengthy(1, Buffer.from(item)))),
  JSONSchemaPropsOrArray: (value) =>
    Array.isArray(value) ? Buffer.concat(value.map((item) => schema(2, item))) : schema(1, value),
  JSONSchemaPropsOrBool: (value) => (typeof value === 'boolean' ? numeric(1, Number(value)) : schema(2, value)),
  JSONSchemaPropsOrStringArray: (value) =>
    Array.isArray(value)
      ? Buffer.concat(value.map((item) => lengthy(2, Buffer.from(item as string))))
      : schema(1, value),
};

function schema(number: number, value: unknown): Buffer {
  return lengthy(number, encodeMessage('JSONSchemaProps', value as JsonObject));
}

function lengthy(number: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([varint((number << 3) | 2), varint(bytes.length), bytes]);
}

function numeric(number: number, value: number): Buffer {
  return Buffer.concat([varint(number << 3), varint(value)]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return Buffer.from([...bytes, Number(rest)]);
}
