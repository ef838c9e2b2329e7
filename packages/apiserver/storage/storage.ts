// SPDX-License-Identifier: Apache-2.0

/** One change of the store as it is kept: the object's bytes, or none when it was deleted. */
export interface StorageRecord {
  readonly revision: number;
  readonly key: string;
  readonly value?: Uint8Array;
}

/** Where the store's changes survive the process. */
export interface Storage {
  /** What was kept when it was opened: the last revision given out, and the living objects in order of their keys. */
  readonly recovered: { readonly revision: number; readonly objects: readonly Required<StorageRecord>[] };
  /** Resolves when the record, and all before it, would survive a crash. */
  append(record: StorageRecord): Promise<void>;
  close(): Promise<void>;
}
