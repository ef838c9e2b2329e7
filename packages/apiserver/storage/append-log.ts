// SPDX-License-Identifier: Apache-2.0
import type { LogWriter } from './log-writer.ts';
import type { Storage, StorageFailed, StorageRecord, StorageState } from './storage.ts';

/** Records that wait for one write. */
interface Group {
  readonly records: StorageRecord[];
  readonly written: PromiseWithResolvers<void>;
}

/** How failures to write are described, and where they are reported. */
export interface LogFailures {
  describe(cause: unknown): StorageFailed;
  /** Is called when writing begins to fail, when it fails for another reason, and, with none, when it works again. */
  report(failure: StorageFailed | undefined): void;
}

/**
 * Appends in groups: while one is on its way to disk, the next gathers. A write that fails rejects its group and the one
 * that gathers behind it, since that was made upon it.
 */
export function appendLog(log: LogWriter, failures: LogFailures): Omit<Storage, 'recovered'> {
  let gathering = emptyGroup();
  let writing: Promise<void> | undefined;
  let failure: StorageFailed | undefined;
  let recovering: Promise<void> | undefined;
  // Half of the writers: they all go on when a group is done, and were the first to wait for the last, disk and processor
  // would take turns instead of working at once.
  let enough = 1;

  function takeGroup(): Group {
    const group = gathering;
    gathering = emptyGroup();
    return group;
  }

  /** Begins a write, when none is under way and there is something to write. */
  function begin(state: () => StorageState): void {
    if (writing !== undefined || gathering.records.length === 0) return;
    writing = finish(takeGroup(), state);
  }

  /** Begins a write once enough have come for one, or nobody else comes. */
  function beginSoon(state: () => StorageState): void {
    if (gathering.records.length >= enough) begin(state);
    else setImmediate(begin, state);
  }

  async function finish({ records, written }: Group, state: () => StorageState): Promise<void> {
    try {
      await log.write(records);
      written.resolve();
      log.rewriteIfLarge(state);
    } catch (cause) {
      fail(cause);
      written.reject(failure);
      if (gathering.records.length > 0) takeGroup().written.reject(failure);
    }
    writing = undefined;
    enough = Math.ceil((records.length + gathering.records.length) / 2);
    // Those whose records are on disk go on only after this: the disk has its next work before them.
    beginSoon(state);
  }

  function fail(cause: unknown): StorageFailed {
    const known = failure?.message;
    failure = failures.describe(cause);
    if (failure.message !== known) failures.report(failure);
    return failure;
  }

  async function restore(state: () => StorageState): Promise<void> {
    try {
      await log.restore(state());
    } catch (cause) {
      throw fail(cause);
    } finally {
      recovering = undefined;
    }
    failure = undefined;
    failures.report(undefined);
  }

  return {
    get failure() {
      return failure;
    },
    append(record, state) {
      if (failure !== undefined) return Promise.reject(failure);
      const { written } = gathering;
      const { length } = gathering.records;
      gathering.records.push(record);
      if (length === 0 || length + 1 >= enough) beginSoon(state);
      return written.promise;
    },
    recover(state) {
      if (failure !== undefined) recovering ??= restore(state);
      return recovering ?? Promise.resolve();
    },
    async close() {
      // What gathers while a write is under way is written after it.
      while (gathering.records.length > 0) await gathering.written.promise.catch(() => {});
      await writing;
      await recovering?.catch(() => {});
      await log.close();
      if (failure !== undefined) throw failure;
    },
  };
}

function emptyGroup(): Group {
  return { records: [], written: Promise.withResolvers() };
}
