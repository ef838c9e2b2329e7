// SPDX-License-Identifier: Apache-2.0

/** A field on the wire: a number, or encoded bytes. */
export interface WireField {
  readonly number: number;
  readonly wireType: number;
  readonly value: number | Uint8Array;
}

/** Reads the fields of a message; errors have the wording of the Go server. */
export class WireReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** All fields to the end of a message of this name. */
  *fields(message: string): Generator<WireField> {
    while (this.#at < this.#bytes.length) {
      const tag = this.#varint();
      const number = (tag >>> 3) | 0;
      const wireType = tag & 7;
      if (wireType === 4) throw new Error(`proto: ${message}: wiretype end group for non-group`);
      if (number <= 0) throw new Error(`proto: ${message}: illegal tag ${number} (wire type ${tag})`);
      yield { number, wireType, value: this.#value(wireType) };
    }
  }

  /** All numbers of a packed list. */
  *numbers(): Generator<number> {
    while (this.#at < this.#bytes.length) yield this.#varint();
  }

  #value(wireType: number): number | Uint8Array {
    switch (wireType) {
      case 0:
        return this.#varint();
      case 1: {
        const { buffer, byteOffset } = this.#take(8);
        return new DataView(buffer, byteOffset).getFloat64(0, true);
      }
      case 2:
        return this.#take(this.#varint());
      case 5:
        return this.#take(4);
      default:
        throw new Error(`proto: illegal wireType ${wireType}`);
    }
  }

  #take(length: number): Uint8Array {
    if (length < 0) throw new Error('proto: negative length found during unmarshaling');
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new Error('unexpected EOF');
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }

  /** A signed 64-bit varint; beyond 53 bits as precise as JSON numbers. */
  #varint(): number {
    let low = 0;
    let high = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) throw new Error('unexpected EOF');
      this.#at += 1;
      const bits = byte & 0x7f;
      if (shift < 32) low |= bits << shift;
      if (shift > 28) high |= bits << (shift - 32);
      else if (shift === 28) high = bits >>> 4;
      if (byte < 0x80) return high * 2 ** 32 + (low >>> 0);
    }
    throw new Error('proto: integer overflow');
  }
}

/** Go's error for a field of the wrong wire type; it capitalises field names. */
export function wrongWireType(wireType: number, field: string): Error {
  return new Error(`proto: wrong wireType = ${wireType} for field ${field[0]?.toUpperCase()}${field.slice(1)}`);
}
