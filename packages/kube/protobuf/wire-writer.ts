// SPDX-License-Identifier: Apache-2.0

/** A field that has a length: text, bytes or a message. */
export function lengthDelimited(number: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([varint((number << 3) | 2), varint(bytes.length), bytes]);
}

/** A field that is an integer or a truth. */
export function varintField(number: number, value: number): Buffer {
  return Buffer.concat([varint(number << 3), varint(value)]);
}

/** A field that is a number of 64 bits with a fraction. */
export function doubleField(number: number, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return Buffer.concat([varint((number << 3) | 1), bytes]);
}

/** A number, seven bits in each byte, the lowest first. */
export function varint(value: number): Buffer {
  if (value >= 0 && value < 0x80) return Buffer.from([value]);
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return Buffer.from([...bytes, Number(rest)]);
}
