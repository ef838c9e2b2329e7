// SPDX-License-Identifier: Apache-2.0
import type { LogWriter } from './log-writer.ts';
import type { Storage, StorageFailed, StorageRecord, StorageState } from './storage.ts';

/** Records that are written together. */
interface Group {
  readonly records: StorageRecord[];
  readonly written: PromiseWithResolvers<void>;
}

/** How write failures are described and reported. */
export interface LogFailures {
  describe(cause: unknown): StorageFailed;
  /** Called when writes start failing, when the reason changes, and with undefined when they succeed again. */
  report(failure: StorageFailed | undefined): void;
}

/**
 * Group commit: while one group is being written, the next one fills. A failed write rejects its group and the next
 * one, which depends on it.
 */
export function appendLog(log: LogWriter, failures: LogFailures): Omit<Storage, 'recovered'> {
  let gathering = emptyGroup();
  let writing: Promise<void> | undefined;
  let failure: StorageFailed | undefined;
  let recovering: Promise<void> | undefined;
  // Half of the concurrent writers: waiting for all of them would make disk and CPU take turns instead of working in
  // parallel.
  let enough = 1;

  function takeGroup(): Group {
    const group = gathering;
    gathering = emptyGroup();
    return group;
  }

  /** Starts a write unless one is running or there is nothing to write. */
  function begin(state: () => StorageState): void {
    if (writing !== undefined || gathering.records.length === 0) return;
    writing = finish(takeGroup(), state);
  }

  /** Starts a write once the group is large enough, or on the next turn of the event loop. */
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
    // Started before the waiting writers resume, so that the disk stays busy.
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
      // Records appended during a write are written after it.
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
