// SPDX-License-Identifier: Apache-2.0
import { fieldOf, type JsonObject } from '../objects/json.ts';
import { messageName, messageOf, type MessageField } from './messages.ts';
import { doubleField, lengthDelimited, varintField, varint } from './wire-writer.ts';

/** An object in Kubernetes' protobuf envelope. */
export function encodeEnvelope(object: object): Buffer {
  const { apiVersion = '', kind, ...rest } = object as { apiVersion?: string; kind: string };
  return wrapMessage({ apiVersion, kind }, encodeMessage(messageName(apiVersion, kind), rest));
}

/** The parts of a list in the envelope, from items that are already encoded. */
export function listEnvelope(head: object, items: readonly Uint8Array[]): Uint8Array[] {
  const { apiVersion = '', kind, ...rest } = head as { apiVersion?: string; kind: string };
  const parts = [encodeMessage(messageName(apiVersion, kind), rest), ...items.flatMap(listItem)];
  const size = parts.reduce((sum, { length }) => sum + length, 0);
  return [envelopeStart({ apiVersion, kind }, size), ...parts];
}

/** A watch event, length-prefixed. */
export function encodeWatchEvent({ type, object }: { type: string; object: object }): Buffer {
  const raw = lengthDelimited(1, encodeEnvelope(object));
  const event = Buffer.concat([lengthDelimited(1, Buffer.from(type)), lengthDelimited(2, raw)]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(event.length);
  return Buffer.concat([length, event]);
}

function wrapMessage({ apiVersion, kind }: { apiVersion: string; kind: string }, message: Uint8Array): Buffer {
  return Buffer.concat([envelopeStart({ apiVersion, kind }, message.length), message]);
}

/** What comes before a message of this size. */
function envelopeStart({ apiVersion, kind }: { apiVersion: string; kind: string }, size: number): Buffer {
  const type = Buffer.concat([lengthDelimited(1, Buffer.from(apiVersion)), lengthDelimited(2, Buffer.from(kind))]);
  return Buffer.concat([Buffer.from('k8s\0'), lengthDelimited(1, type), varint((2 << 3) | 2), varint(size)]);
}

/** A list item with its tag and length. */
function listItem(message: Uint8Array): Uint8Array[] {
  return [varint((2 << 3) | 2), varint(message.length), message];
}

/** The object as a message, fields in the order of their numbers. */
export function encodeMessage(name: string, object: JsonObject): Buffer {
  const fields = Object.entries(messageOf(name) ?? {});
  return Buffer.concat(fields.flatMap(([number, field]) => encodeField(Number(number), field, object)));
}

function encodeField(number: number, { name, type, many }: MessageField, object: JsonObject): Buffer[] {
  if (name === undefined) return [lengthDelimited(number, encodeMessage(type, object))];
  const value = fieldOf(object, name) ?? undefined;
  if (value === undefined) return [];
  if (many === 'list') return (value as unknown[]).map((item) => encodeValue(number, type, item));
  if (many === undefined) return [encodeValue(number, type, value)];
  return Object.entries(value as JsonObject).map(([key, item]) =>
    lengthDelimited(number, Buffer.concat([lengthDelimited(1, Buffer.from(key)), encodeValue(2, type, item)])),
  );
}

function encodeValue(number: number, type: string, value: unknown): Buffer {
  switch (type) {
    case 'bool':
    case 'int32':
    case 'int64':
      return varintField(number, Number(value));
    case 'float64':
      return doubleField(number, value as number);
    case 'string':
      return lengthDelimited(number, Buffer.from(value as string));
    case '[]byte':
      return lengthDelimited(number, Buffer.from(value as string, 'base64'));
    default:
      return lengthDelimited(
        number,
        (fieldOf(special, type) ?? ((inner) => encodeMessage(type, inner as JsonObject)))(value),
      );
  }
}

const special: Readonly<Record<string, (value: unknown) => Buffer>> = {
  Time: (value) => varintField(1, Date.parse(value as string) / 1000),
  MicroTime(value) {
    const [, seconds = '', micros = '0'] = /^(.*?)(?:\.(\d{6}))?Z$/.exec(value as string) ?? [];
    return Buffer.concat([varintField(1, Date.parse(`${seconds}Z`) / 1000), varintField(2, Number(micros) * 1000)]);
  },
  Quantity: (value) => lengthDelimited(1, Buffer.from(String(value))),
  IntOrString: (value) =>
    typeof value === 'number'
      ? Buffer.concat([varintField(1, 0), varintField(2, value)])
      : Buffer.concat([varintField(1, 1), lengthDelimited(3, Buffer.from(value as string))]),
  FieldsV1: (value) => lengthDelimited(1, Buffer.from(JSON.stringify(value))),
  JSON: (value) => lengthDelimited(1, Buffer.from(JSON.stringify(value))),
  Verbs: (value) => Buffer.concat((value as string[]).map((item) => lengthDelimited(1, Buffer.from(item)))),
  RawExtension: (value) => lengthDelimited(1, Buffer.from(JSON.stringify(value))),
  ExtraValue: (value) => Buffer.concat((value as string[]).map((item) => lengthDelimited(1, Buffer.from(item)))),
  JSONSchemaPropsOrArray: (value) =>
    Array.isArray(value) ? Buffer.concat(value.map((item) => schema(2, item))) : schema(1, value),
  JSONSchemaPropsOrBool: (value) => (typeof value === 'boolean' ? varintField(1, Number(value)) : schema(2, value)),
  JSONSchemaPropsOrStringArray: (value) =>
    Array.isArray(value)
      ? Buffer.concat(value.map((item) => lengthDelimited(2, Buffer.from(item as string))))
      : schema(1, value),
};

function schema(number: number, value: unknown): Buffer {
  return lengthDelimited(number, encodeMessage('JSONSchemaProps', value as JsonObject));
}
