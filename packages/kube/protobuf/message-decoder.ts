// SPDX-License-Identifier: Apache-2.0
import { setField, type JsonObject } from '../objects/json.ts';
import { messageOf, type MessageField } from './messages.ts';
import { specialMessages, type SpecialDecoding } from './special-messages.ts';
import { WireReader, wrongWireType, type WireField } from './wire-reader.ts';

/** Limits of what is decoded; each method throws when its limit is exceeded. */
export interface DecodingLimits {
  /** Counts a field or item: an empty one takes two bytes, but as long to decode as any other. */
  addValue(): void;
  /** Checks the number of entries of a map: to add one takes longer the more there are. */
  checkMembers(members: number): void;
  /** Checks how deep messages are nested: to decode them is recursive. */
  checkNesting(depth: number): void;
  /** Parses a JSON text in a message; its values count, too. */
  parseJson(bytes: Uint8Array): unknown;
}

/** For messages of a sender that is trusted. */
const unlimited: DecodingLimits = {
  addValue() {},
  checkMembers() {},
  checkNesting() {},
  parseJson: (bytes) => JSON.parse(Buffer.from(bytes).toString()) as unknown,
};

/** Decodes protobuf messages to the JSON values that a Go client would send; without limits unless given. */
export class MessageDecoder {
  readonly #limits: DecodingLimits;
  readonly #entries = new Map<object, number>();
  readonly #special: SpecialDecoding;
  #depth = 0;

  constructor(limits = unlimited) {
    this.#limits = limits;
    this.#special = { limits, message: (name, bytes) => this.message(name, bytes) };
  }

  /** The object of a message of this name; empty when the name is unknown. */
  message(name: string, bytes: Uint8Array): JsonObject {
    this.#depth += 1;
    this.#limits.checkNesting(this.#depth);
    const object: Record<string, unknown> = {};
    const fields = messageOf(name) ?? {};
    for (const sent of new WireReader(bytes).fields(name)) {
      this.#limits.addValue();
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
      const list = (object[name] ??= []) as unknown[];
      for (const item of this.#items(field, sent)) list.push(item);
    } else if (many === 'map') {
      const [key, value] = this.#entry(field, bytesOf(field, sent));
      const map = (object[name] ??= {}) as Record<string, unknown>;
      this.#countEntry(map);
      setField(map, key, value);
    } else {
      const value = this.#value(field, sent);
      if (value !== null && (zero === true || !isZero(type, value))) object[name] = value;
    }
  }

  #items(field: MessageField, sent: WireField): unknown[] {
    const packed = isNumber(field.type) && sent.value instanceof Uint8Array ? sent.value : undefined;
    if (packed === undefined) return [this.#value(field, sent)];
    const numbers: number[] = [];
    for (const number of new WireReader(packed).numbers()) {
      this.#limits.addValue();
      numbers.push(number);
    }
    return numbers;
  }

  #countEntry(map: object): void {
    const entries = (this.#entries.get(map) ?? 0) + 1;
    this.#limits.checkMembers(entries);
    this.#entries.set(map, entries);
  }

  #entry(field: MessageField, bytes: Uint8Array): [string, unknown] {
    const none = { number: 2, wireType: 2, value: new Uint8Array() };
    let key = '';
    let value: unknown;
    for (const sent of new WireReader(bytes).fields('Entry')) {
      this.#limits.addValue();
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
    return special === undefined ? this.message(type, bytes) : special(bytes, this.#special);
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
