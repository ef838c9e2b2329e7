// SPDX-License-Identifier: Apache-2.0

/** As many connections as are written to before others get their turn. */
const batchSize = 200;

/** Writes to many connections in turns of the loop, and puts together only once what many of them are sent. */
export class BatchedWriter {
  #writes: (() => void)[] = [];
  #parts: readonly Uint8Array[] = [];
  #joined: Uint8Array = Buffer.alloc(0);

  /** Has this done when the events of this turn of the loop are known. */
  add(write: () => void): void {
    if (this.#writes.push(write) === 1) setImmediate(() => this.#run());
  }

  /** The parts in one piece: the same one for all who come one after another with the same parts. */
  joined(parts: readonly Uint8Array[]): Uint8Array {
    const isSame = parts.length === this.#parts.length && parts.every((part, index) => part === this.#parts[index]);
    if (!isSame) {
      this.#parts = parts;
      this.#joined = parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts);
    }
    return this.#joined;
  }

  #run(): void {
    for (const write of this.#writes.splice(0, batchSize)) write();
    if (this.#writes.length > 0) return void setImmediate(() => this.#run());
    // What nobody is sent any more need not be kept.
    this.#parts = [];
    this.#joined = Buffer.alloc(0);
  }
}
