// SPDX-License-Identifier: Apache-2.0

/** Maximum number of connections written to, and of bytes, per turn of the event loop. */
const batchSize = 200;
const batchBytes = 4 * 1024 * 1024;

/** Writes to a connection; returns the number of bytes. */
type Write = () => number;

/**
 * Batches writes to many connections per turn of the event loop, and concatenates buffers that many of them share only
 * once.
 */
export class BatchedWriter {
  #writes: Write[] = [];
  #parts: readonly Uint8Array[] = [];
  #joined: Uint8Array = Buffer.alloc(0);

  /** Schedules a write for the end of this turn of the event loop. */
  add(write: Write): void {
    if (this.#writes.push(write) === 1) setImmediate(() => this.#run());
  }

  /** The concatenated parts, cached for consecutive callers with the same parts. */
  joined(parts: readonly Uint8Array[]): Uint8Array {
    const isSame = parts.length === this.#parts.length && parts.every((part, index) => part === this.#parts[index]);
    if (!isSame) {
      this.#parts = parts;
      this.#joined = parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts);
    }
    return this.#joined;
  }

  #run(): void {
    let bytes = 0;
    let written = 0;
    while (written < batchSize && written < this.#writes.length && bytes < batchBytes) {
      bytes += (this.#writes[written] as Write)();
      written += 1;
    }
    this.#writes.splice(0, written);
    if (this.#writes.length > 0) return void setImmediate(() => this.#run());
    // Release the cached buffers.
    this.#parts = [];
    this.#joined = Buffer.alloc(0);
  }
}
