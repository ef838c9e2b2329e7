// SPDX-License-Identifier: Apache-2.0

/** The bytes of what a function writes. */
export function written(write: (to: MessageWriter) => void): Buffer {
  const to = new MessageWriter();
  write(to);
  return to.bytes();
}

/** Writes the fields of protobuf messages, one after the other, into one buffer: objects have tens of thousands of them. */
export class MessageWriter {
  #buffer = Buffer.allocUnsafe(1024);
  #length = 0;

  /** A copy of what was written. */
  bytes(): Buffer {
    return Buffer.from(this.#buffer.subarray(0, this.#length));
  }

  /** An integer or a boolean. */
  integer(number: number, value: number): void {
    this.#reserve(20);
    this.#length = writeSmall(this.#buffer, this.#length, number << 3);
    if (value >= 0 && value < 0x80) this.#length = writeSmall(this.#buffer, this.#length, value);
    else this.#length = writeLarge(this.#buffer, this.#length, BigInt(value));
  }

  /** A 64-bit floating-point number. */
  double(number: number, value: number): void {
    this.#reserve(13);
    this.#length = writeSmall(this.#buffer, this.#length, (number << 3) | 1);
    this.#length = this.#buffer.writeDoubleLE(value, this.#length);
  }

  text(number: number, value: string): void {
    const size = Buffer.byteLength(value);
    this.start(number, size);
    this.#reserve(size);
    this.#length += this.#buffer.write(value, this.#length);
  }

  data(number: number, value: Uint8Array): void {
    this.start(number, value.length);
    this.raw(value);
  }

  /** A message within a message: the fields that the function writes. */
  message(number: number, write: () => void): void {
    this.start(number, 0);
    const start = this.#length;
    write();
    const size = this.#length - start;
    const more = lengthOf(size) - 1;
    if (more > 0) {
      this.#reserve(more);
      this.#buffer.copyWithin(start + more, start, this.#length);
      this.#length += more;
    }
    writeSmall(this.#buffer, start - 1, size);
  }

  /** The tag and length of a field whose content follows. */
  start(number: number, size: number): void {
    this.#reserve(10);
    const at = writeSmall(this.#buffer, this.#length, (number << 3) | 2);
    this.#length = writeSmall(this.#buffer, at, size);
  }

  /** Bytes as they are. */
  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(2 * (this.#length + bytes));
    larger.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = larger;
  }
}

/** How many bytes a length takes as varint. */
function lengthOf(value: number): number {
  let bytes = 1;
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes += 1;
  return bytes;
}

/** Writes a length or a tag as varint; returns the position behind it. */
function writeSmall(buffer: Buffer, start: number, value: number): number {
  let at = start;
  let rest = value;
  for (; rest > 0x7f; rest >>>= 7) {
    buffer[at] = (rest & 0x7f) | 0x80;
    at += 1;
  }
  buffer[at] = rest;
  return at + 1;
}

/** Writes any integer as varint; returns the position behind it. */
function writeLarge(buffer: Buffer, start: number, value: bigint): number {
  let at = start;
  let rest = BigInt.asUintN(64, value);
  for (; rest > 0x7fn; rest >>= 7n) {
    buffer[at] = Number(rest & 0x7fn) | 0x80;
    at += 1;
  }
  buffer[at] = Number(rest);
  return at + 1;
}
