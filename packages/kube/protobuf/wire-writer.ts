// SPDX-License-Identifier: Apache-2.0

/** A length-delimited field: text, bytes or a message. */
export function lengthDelimited(number: number, bytes: Uint8Array): Buffer {
  const tag = (number << 3) | 2;
  const start = lengthOf(tag) + lengthOf(bytes.length);
  const field = Buffer.allocUnsafe(start + bytes.length);
  writeLength(field, writeLength(field, 0, tag), bytes.length);
  field.set(bytes, start);
  return field;
}

/** How many bytes a length or tag takes as varint. */
function lengthOf(value: number): number {
  let bytes = 1;
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes += 1;
  return bytes;
}

/** Writes a length or tag as varint; returns the position behind it. */
function writeLength(buffer: Buffer, start: number, value: number): number {
  let at = start;
  let rest = value;
  for (; rest > 0x7f; rest >>>= 7) {
    buffer[at] = (rest & 0x7f) | 0x80;
    at += 1;
  }
  buffer[at] = rest;
  return at + 1;
}

/** A varint field: an integer or a boolean. */
export function varintField(number: number, value: number): Buffer {
  return Buffer.concat([varint(number << 3), varint(value)]);
}

/** A 64-bit floating-point field. */
export function doubleField(number: number, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return Buffer.concat([varint((number << 3) | 1), bytes]);
}

/** A number as varint. */
export function varint(value: number): Buffer {
  if (value >= 0 && value < 0x80) return Buffer.from([value]);
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return Buffer.from([...bytes, Number(rest)]);
}
