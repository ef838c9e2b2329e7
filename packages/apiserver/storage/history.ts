// SPDX-License-Identifier: Apache-2.0

const chunkSize = 256;

/** What happened at each of the last revisions. Full chunks are shared with forks, so that a fork copies only the last one. */
export class History<T> {
  #oldest: number;
  #newest: number;
  /** The revisions of a chunk are those that give the same number when divided by its size. */
  #chunks: (T | undefined)[][] = [];

  /** A history that begins after this revision. */
  constructor(revision: number) {
    this.#oldest = revision;
    this.#newest = revision;
  }

  /** The last revision that is no longer known. */
  get oldest(): number {
    return this.#oldest;
  }

  at(revision: number): T | undefined {
    if (revision <= this.#oldest || revision > this.#newest) return undefined;
    return this.#chunks[this.#place(revision)]?.[revision % chunkSize];
  }

  /** Adds what happened at the revision after the newest. */
  push(entry: T): void {
    this.#newest += 1;
    const place = this.#place(this.#newest);
    const chunk = (this.#chunks[place] ??= []);
    chunk[this.#newest % chunkSize] = entry;
  }

  /** Forgets all up to and including this revision. */
  forget(revision: number): void {
    const oldest = Math.min(revision, this.#newest);
    if (oldest <= this.#oldest) return;
    const gone = this.#place(oldest + 1);
    this.#oldest = oldest;
    if (gone > 0) this.#chunks = this.#chunks.slice(gone);
  }

  /** Takes back all after this revision, which must be known or the last that is not. */
  rewind(revision: number): void {
    const place = this.#place(revision + 1);
    // A chunk that is cut may be shared with a fork.
    const cut = this.#chunks[place]?.slice(0, (revision + 1) % chunkSize);
    this.#chunks = [...this.#chunks.slice(0, place), ...(cut === undefined ? [] : [cut])];
    this.#newest = revision;
  }

  fork(): History<T> {
    const fork = new History<T>(this.#oldest);
    fork.#newest = this.#newest;
    fork.#chunks = [...this.#chunks.slice(0, -1), ...this.#chunks.slice(-1).map((chunk) => chunk.slice())];
    return fork;
  }

  /** Which chunk a revision is in; the first one holds the first revision that is known. */
  #place(revision: number): number {
    return Math.floor(revision / chunkSize) - Math.floor((this.#oldest + 1) / chunkSize);
  }
}
