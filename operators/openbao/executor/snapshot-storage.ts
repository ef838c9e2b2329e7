// SPDX-License-Identifier: Apache-2.0

/** What is known of an object without reading it. */
export interface StoredObject {
  readonly key: string;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
}

/** A bucket. Its calls end within bounded time, and reject with an error that names the object and what the server said. */
export interface SnapshotStorage {
  /**
   * Stores what comes, in parts. When `content` or a part fails, it rejects, and nothing is stored under the key: neither
   * the beginning nor a part of it. When no answer arrives to the last request, it rejects, and everything may be stored.
   */
  upload(key: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  /** The bytes of an object; undefined when there is none. */
  sizeOf(key: string, signal: AbortSignal): Promise<number | undefined>;
  /** All objects whose keys begin with this. */
  list(prefix: string, signal: AbortSignal): Promise<readonly StoredObject[]>;
  /** Deletes objects, and returns which of them are gone, and why others are not. */
  remove(keys: readonly string[], signal: AbortSignal): Promise<{ removed: readonly string[]; problem?: string }>;
}
