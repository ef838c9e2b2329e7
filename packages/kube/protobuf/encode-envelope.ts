// SPDX-License-Identifier: Apache-2.0
import { fieldOf, type JsonObject } from '../objects/json.ts';
import { written, type MessageWriter } from './message-writer.ts';
import { messageName, messageOf, type MessageField } from './messages.ts';

/** An object in Kubernetes' protobuf envelope. */
export function encodeEnvelope(object: object): Buffer {
  return written((to) => writeEnvelope(to, object));
}

/** The parts of a list in the envelope, from items that are already encoded. */
export function listEnvelope(head: object, items: readonly Uint8Array[]): Uint8Array[] {
  const { apiVersion = '', kind, ...rest } = head as { apiVersion?: string; kind: string };
  const parts = [encodeMessage(messageName(apiVersion, kind), rest), ...items.flatMap(listItem)];
  const size = parts.reduce((sum, { length }) => sum + length, 0);
  const start = written((to) => {
    writeType(to, apiVersion, kind);
    to.start(2, size);
  });
  return [start, ...parts];
}

/** A watch event, length-prefixed. */
export function encodeWatchEvent({ type, object }: { type: string; object: object }): Buffer {
  const event = written((to) => {
    to.text(1, type);
    to.message(2, () => to.message(1, () => writeEnvelope(to, object)));
  });
  const length = Buffer.alloc(4);
  length.writeUInt32BE(event.length);
  return Buffer.concat([length, event]);
}

/** The object as a message, fields in the order of their numbers. */
export function encodeMessage(name: string, object: JsonObject): Buffer {
  return written((to) => writeMessage(to, name, object));
}

function writeEnvelope(to: MessageWriter, object: object): void {
  const { apiVersion = '', kind, ...rest } = object as { apiVersion?: string; kind: string };
  writeType(to, apiVersion, kind);
  to.message(2, () => writeMessage(to, messageName(apiVersion, kind), rest));
}

/** The beginning of an envelope. */
function writeType(to: MessageWriter, apiVersion: string, kind: string): void {
  to.raw(Buffer.from('k8s\0'));
  to.message(1, () => {
    to.text(1, apiVersion);
    to.text(2, kind);
  });
}

/** A list item with its tag and length. */
function listItem(message: Uint8Array): Uint8Array[] {
  return [written((to) => to.start(2, message.length)), message];
}

function writeMessage(to: MessageWriter, name: string, object: JsonObject): void {
  const fields = messageOf(name) ?? {};
  for (const number in fields) writeField(to, Number(number), fields[number] as MessageField, object);
}

function writeField(to: MessageWriter, number: number, { name, type, many }: MessageField, object: JsonObject): void {
  if (name === undefined) return to.message(number, () => writeMessage(to, type, object));
  const value = fieldOf(object, name) ?? undefined;
  if (value === undefined) return;
  if (many === undefined) return writeValue(to, number, type, value);
  if (many === 'list') {
    for (const item of value as unknown[]) writeValue(to, number, type, item);
    return;
  }
  for (const key in value) {
    to.message(number, () => {
      to.text(1, key);
      writeValue(to, 2, type, (value as JsonObject)[key]);
    });
  }
}

function writeValue(to: MessageWriter, number: number, type: string, value: unknown): void {
  switch (type) {
    case 'bool':
    case 'int32':
    case 'int64':
      return to.integer(number, Number(value));
    case 'float64':
      return to.double(number, value as number);
    case 'string':
      return to.text(number, value as string);
    case '[]byte':
      return to.data(number, Buffer.from(value as string, 'base64'));
    default: {
      const write = fieldOf(special, type);
      return to.message(number, () => {
        if (write === undefined) writeMessage(to, type, value as JsonObject);
        else write(to, value);
      });
    }
  }
}

const special: Readonly<Record<string, (to: MessageWriter, value: unknown) => void>> = {
  Time: (to, value) => to.integer(1, Date.parse(value as string) / 1000),
  MicroTime(to, value) {
    const [, seconds = '', micros = '0'] = /^(.*?)(?:\.(\d{6}))?Z$/.exec(value as string) ?? [];
    to.integer(1, Date.parse(`${seconds}Z`) / 1000);
    to.integer(2, Number(micros) * 1000);
  },
  Quantity: (to, value) => to.text(1, String(value)),
  IntOrString(to, value) {
    const isNumber = typeof value === 'number';
    to.integer(1, isNumber ? 0 : 1);
    if (isNumber) to.integer(2, value);
    else to.text(3, value as string);
  },
  FieldsV1: (to, value) => to.text(1, JSON.stringify(value)),
  JSON: (to, value) => to.text(1, JSON.stringify(value)),
  Verbs: writeTexts,
  RawExtension: (to, value) => to.text(1, JSON.stringify(value)),
  ExtraValue: writeTexts,
  JSONSchemaPropsOrArray(to, value) {
    if (!Array.isArray(value)) return writeSchema(to, 1, value);
    for (const item of value) writeSchema(to, 2, item);
  },
  JSONSchemaPropsOrBool(to, value) {
    if (typeof value === 'boolean') to.integer(1, Number(value));
    else writeSchema(to, 2, value);
  },
  JSONSchemaPropsOrStringArray(to, value) {
    if (!Array.isArray(value)) return writeSchema(to, 1, value);
    for (const item of value) to.text(2, item as string);
  },
};

function writeTexts(to: MessageWriter, values: unknown): void {
  for (const value of values as string[]) to.text(1, value);
}

function writeSchema(to: MessageWriter, number: number, value: unknown): void {
  writeValue(to, number, 'JSONSchemaProps', value);
}
