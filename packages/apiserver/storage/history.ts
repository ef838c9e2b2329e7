// SPDX-License-Identifier: Apache-2.0

const chunkSize = 256;

/** An entry of a history, by the memory that it takes. */
interface Weighed {
  readonly bytes: number;
}

/** The changes of recent revisions. Full chunks are shared with forks, so a fork copies only the last one. */
export class History<T extends Weighed> {
  #oldest: number;
  #newest: number;
  #bytes = 0;
  /** A chunk holds the revisions with the same quotient by chunk size. */
  #chunks: (T | undefined)[][] = [];

  /** A history that starts after this revision. */
  constructor(revision: number) {
    this.#oldest = revision;
    this.#newest = revision;
  }

  /** The newest compacted revision. */
  get oldest(): number {
    return this.#oldest;
  }

  /** The bytes of all entries together. */
  get bytes(): number {
    return this.#bytes;
  }

  at(revision: number): T | undefined {
    if (revision <= this.#oldest || revision > this.#newest) return undefined;
    return this.#chunks[this.#place(revision)]?.[revision % chunkSize];
  }

  /** Adds the entry of the next revision. */
  push(entry: T): void {
    this.#newest += 1;
    const place = this.#place(this.#newest);
    const chunk = (this.#chunks[place] ??= []);
    chunk[this.#newest % chunkSize] = entry;
    this.#bytes += entry.bytes;
  }

  /** Compacts everything up to and including this revision. */
  forget(revision: number): void {
    const oldest = Math.min(revision, this.#newest);
    if (oldest <= this.#oldest) return;
    const gone = this.#place(oldest + 1);
    this.#bytes -= this.#bytesBetween(this.#oldest, oldest);
    this.#oldest = oldest;
    if (gone > 0) this.#chunks = this.#chunks.slice(gone);
  }

  /** Drops everything after this revision, which must not be older than the newest compacted one. */
  rewind(revision: number): void {
    this.#bytes -= this.#bytesBetween(revision, this.#newest);
    const place = this.#place(revision + 1);
    // The truncated chunk may be shared with a fork.
    const cut = this.#chunks[place]?.slice(0, (revision + 1) % chunkSize);
    this.#chunks = [...this.#chunks.slice(0, place), ...(cut === undefined ? [] : [cut])];
    this.#newest = revision;
  }

  fork(): History<T> {
    const fork = new History<T>(this.#oldest);
    fork.#newest = this.#newest;
    fork.#bytes = this.#bytes;
    fork.#chunks = [...this.#chunks.slice(0, -1), ...this.#chunks.slice(-1).map((chunk) => chunk.slice())];
    return fork;
  }

  /** The bytes of the entries after one revision, up to another. */
  #bytesBetween(after: number, last: number): number {
    let bytes = 0;
    for (let revision = after + 1; revision <= last; revision += 1) bytes += this.at(revision)?.bytes ?? 0;
    return bytes;
  }

  /** The chunk of a revision; the first one holds the oldest known revision. */
  #place(revision: number): number {
    return Math.floor(revision / chunkSize) - Math.floor((this.#oldest + 1) / chunkSize);
  }
}
