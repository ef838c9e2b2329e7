// SPDX-License-Identifier: Apache-2.0

/** One change of the store as it is kept: the object as JSON, in text or bytes, or none when it was deleted. */
export interface StorageRecord<Json = Uint8Array | string> {
  readonly revision: number;
  readonly key: string;
  readonly value?: Json;
}

/** All that has to survive: the last revision given out, and the living objects in order of their keys. */
export interface StorageState<Json = Uint8Array | string> {
  readonly revision: number;
  readonly objects: Iterable<Required<StorageRecord<Json>>>;
}

/** Where the store's changes survive the process. */
export interface Storage {
  /** What was kept when it was opened. */
  readonly recovered: StorageState<Uint8Array>;
  /** Why nothing can be kept at present: the last append failed, and `recover` has not succeeded since. */
  readonly failure: StorageFailed | undefined;
  /**
   * Resolves when the record, and all before it, would survive a crash; `state` tells all there is at that moment. When it
   * rejects, the record and all after it are not kept, and no append is accepted before `recover` resolves.
   */
  append(record: StorageRecord, state: () => StorageState): Promise<void>;
  /** Tries to make the storage writable again; `state` is what has been kept. Rejects with the failure that remains. */
  recover(state: () => StorageState): Promise<void>;
  /** Releases the storage; rejects when it is left in failure. */
  close(): Promise<void>;
}

/** A change could not be kept. */
export class StorageFailed extends Error {
  override readonly name = 'StorageFailed';
  /** Whether there is no room, so that freeing some is the remedy. */
  readonly full: boolean;

  constructor(path: string, cause: unknown) {
    const { message } = cause as Error;
    const full = isNoSpace(cause);
    const remedy = full ? 'free some space on its disk' : 'check its disk';
    super(
      `The cluster's log ${path} cannot be written (${message}): ${remedy}; until then writes are refused, reads go on`,
      {
        cause,
      },
    );
    this.full = full;
  }
}

const noSpace: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** Whether a write failed for want of room alone: what was on disk before is as it was. */
export function isNoSpace(error: unknown): boolean {
  return noSpace.has((error as NodeJS.ErrnoException).code);
}
