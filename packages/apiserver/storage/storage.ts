// SPDX-License-Identifier: Apache-2.0

/** A persisted change: the object as JSON, or no value for a deletion. */
export interface StorageRecord<Json = Uint8Array | string> {
  readonly revision: number;
  readonly key: string;
  readonly value?: Json;
}

/** The state to persist: the last assigned revision, and the live objects sorted by key. */
export interface StorageState<Json = Uint8Array | string> {
  readonly revision: number;
  readonly objects: Iterable<Required<StorageRecord<Json>>>;
}

/** Durable storage of the store's changes. */
export interface Storage {
  /** The state found when it was opened. */
  readonly recovered: StorageState<Uint8Array>;
  /** Why appends fail at present; undefined when they work. */
  readonly failure: StorageFailed | undefined;
  /**
   * Resolves when the record, and all before it, would survive a crash; `state` returns the full current state. When it
   * rejects, the record and all after it are lost, and no append is accepted before `recover` resolves.
   */
  append(record: StorageRecord, state: () => StorageState): Promise<void>;
  /** Tries to make the storage writable again; `state` is the acknowledged state. Rejects with the remaining failure. */
  recover(state: () => StorageState): Promise<void>;
  /** Closes the storage; rejects when it is in failure. */
  close(): Promise<void>;
}

/** A change could not be persisted. */
export class StorageFailed extends Error {
  override readonly name = 'StorageFailed';
  /** Whether the disk is full, so that freeing space helps. */
  readonly full: boolean;

  constructor(path: string, cause: unknown) {
    const { message } = cause as Error;
    const full = isNoSpace(cause);
    const remedy = full ? 'free some space on its disk' : 'check its disk';
    super(
      `The cluster's log ${path} cannot be written (${message}): ${remedy}; until then writes are refused, reads still work`,
      {
        cause,
      },
    );
    this.full = full;
  }
}

const noSpace: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** Whether a write failed only because the disk is full: what was on disk before is intact. */
export function isNoSpace(error: unknown): boolean {
  return noSpace.has((error as NodeJS.ErrnoException).code);
}
