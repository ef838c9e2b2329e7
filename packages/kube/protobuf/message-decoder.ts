// SPDX-License-Identifier: Apache-2.0
import type { JsonObject } from '../objects/json.ts';
import { messageOf, type MessageField } from './messages.ts';
import { specialMessages } from './special-messages.ts';
import { WireReader, wrongWireType, type WireField } from './wire-reader.ts';

/** Deeper than any valid object, and within the stack size. */
const maximumDepth = 500;

/** Decodes protobuf messages to the JSON values that a Go client would send. */
export class MessageDecoder {
  #depth = 0;

  /** The object of a message of this name; empty when the name is unknown. */
  message(name: string, bytes: Uint8Array): JsonObject {
    this.#depth += 1;
    if (this.#depth > maximumDepth) throw new Error('exceeded max depth');
    const object: Record<string, unknown> = {};
    const fields = messageOf(name) ?? {};
    for (const sent of new WireReader(bytes).fields(name)) {
      const field = fields[sent.number];
      if (field !== undefined) this.#put(object, field, sent);
    }
    this.#depth -= 1;
    return object;
  }

  #put(object: Record<string, unknown>, field: MessageField, sent: WireField): void {
    const { name, type, many, zero } = field;
    if (name === undefined) {
      Object.assign(object, this.message(type, bytesOf(field, sent)));
    } else if (many === 'list') {
      ((object[name] ??= []) as unknown[]).push(...this.#items(field, sent));
    } else if (many === 'map') {
      const [key, value] = this.#entry(field, bytesOf(field, sent));
      // For any key: an assignment to __proto__ would not create a field.
      Object.defineProperty((object[name] ??= {}), key, {
        value,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    } else {
      const value = this.#value(field, sent);
      if (value !== null && (zero === true || !isZero(type, value))) object[name] = value;
    }
  }

  #items(field: MessageField, sent: WireField): unknown[] {
    const packed = isNumber(field.type) && sent.value instanceof Uint8Array ? sent.value : undefined;
    return packed === undefined ? [this.#value(field, sent)] : [...new WireReader(packed).numbers()];
  }

  #entry(field: MessageField, bytes: Uint8Array): [string, unknown] {
    const none = { number: 2, wireType: 2, value: new Uint8Array() };
    let key = '';
    let value: unknown;
    for (const sent of new WireReader(bytes).fields('Entry')) {
      if (sent.number === 1) key = textOf(bytesOf(field, sent));
      else if (sent.number === 2) value = this.#value(field, sent);
    }
    return [key, value ?? this.#value(field, none)];
  }

  #value(field: MessageField, sent: WireField): unknown {
    const { type } = field;
    if (isNumber(type)) return numberOf(field, sent);
    if (type === 'bool') return numberOf(field, sent) !== 0;
    const bytes = bytesOf(field, sent);
    if (type === 'string') return textOf(bytes);
    if (type === '[]byte') return Buffer.from(bytes).toString('base64');
    const special = specialMessages[type];
    return special === undefined
      ? this.message(type, bytes)
      : special(bytes, (name, inner) => this.message(name, inner));
  }
}

function isNumber(type: string): boolean {
  return type === 'int32' || type === 'int64' || type === 'float64';
}

/** Whether Go omits the value, which it does for scalars only. */
function isZero(type: string, value: unknown): boolean {
  return !/^[A-Z]/.test(type) && (value === '' || value === 0 || value === false);
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString();
}

function numberOf(field: MessageField, { value, wireType }: WireField): number {
  if (typeof value !== 'number') throw wrongType(field, wireType);
  return value;
}

function bytesOf(field: MessageField, { value, wireType }: WireField): Uint8Array {
  if (typeof value === 'number') throw wrongType(field, wireType);
  return value;
}

function wrongType({ name = 'metadata', type }: MessageField, wireType: number): Error {
  // Go names embedded fields by their type.
  return wrongWireType(wireType, name === 'metadata' ? type : name);
}
