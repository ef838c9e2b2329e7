// SPDX-License-Identifier: Apache-2.0

/** One change of the store as it is kept: the object's bytes, or none when it was deleted. */
export interface StorageRecord {
  readonly revision: number;
  readonly key: string;
  readonly value?: Uint8Array;
}

/** All that has to survive: the last revision given out, and the living objects in order of their keys. */
export interface StorageState {
  readonly revision: number;
  readonly objects: Iterable<Required<StorageRecord>>;
}

/** Where the store's changes survive the process. */
export interface Storage {
  /** What was kept when it was opened. */
  readonly recovered: StorageState;
  /** Resolves when the record, and all before it, would survive a crash. `state` tells all there is at that moment. */
  append(record: StorageRecord, state: () => StorageState): Promise<void>;
  close(): Promise<void>;
}
