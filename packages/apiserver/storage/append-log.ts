// SPDX-License-Identifier: Apache-2.0
import type { FileHandle } from 'node:fs/promises';
import { encodeRecords } from './log-format.ts';
import type { LogSuccessor } from './log-successor.ts';
import type { StorageRecord, StorageState } from './storage.ts';

/** A log file that is in force. */
export interface OpenLog {
  /** Opened so that a write ends when its bytes are on disk (O_DSYNC). */
  readonly file: FileHandle;
  /** Bytes in it, all of them on disk. */
  readonly size: number;
  /** Bytes it would have if it held the living objects only. */
  readonly living: number;
}

/** How a log that grows is replaced. */
export interface Growth {
  /** A log smaller than this is left alone. */
  smallest: number;
  /** Begins to write the log that takes over. */
  succeed(state: StorageState): LogSuccessor;
}

/** A log is written anew when it has grown to so many times its living data. */
const tolerated = 4;

/** As many bytes as most groups have. */
const usualGroup = 256 * 1024;

/** Appends records to a log. */
export interface AppendLog {
  append(record: StorageRecord, state: () => StorageState): Promise<void>;
  close(): Promise<void>;
}

/** Records that wait for one write. */
interface Group {
  readonly records: StorageRecord[];
  readonly written: PromiseWithResolvers<void>;
}

/**
 * Appends in groups: while one is on its way to disk, the next gathers. A write that fails refuses its group and all after
 * it with `failure`. A log grown too long is written anew beside it; nobody waits for that but the group in which the new
 * one takes over.
 */
export function appendLog(opened: OpenLog, growth: Growth, failure: (cause: unknown) => Error): AppendLog {
  let log = opened;
  let gathering = emptyGroup();
  let writing: Promise<void> | undefined;
  let broken: Error | undefined;
  let successor: LogSuccessor | undefined;
  // Half of the writers: they all go on when a group is done, and were the first to wait for the last, disk and processor
  // would take turns instead of working at once.
  let enough = 1;
  // For one group after the other: much of what is allocated by the way is collected at a bad time.
  const space = Buffer.allocUnsafe(usualGroup);

  /** Begins a write, when none is under way and there is something to write. */
  function begin(state: () => StorageState): void {
    if (writing !== undefined || gathering.records.length === 0) return;
    const group = gathering;
    gathering = emptyGroup();
    if (broken === undefined) writing = finish(group, state);
    else group.written.reject(broken);
  }

  /** Begins a write once enough have come for one, or nobody else comes. */
  function beginSoon(state: () => StorageState): void {
    if (gathering.records.length >= enough) begin(state);
    else setImmediate(begin, state);
  }

  async function finish({ records, written }: Group, state: () => StorageState): Promise<void> {
    try {
      await write(records);
      written.resolve();
    } catch (cause) {
      broken = failure(cause);
      written.reject(broken);
    }
    if (log.size > Math.max(growth.smallest, log.living * tolerated)) successor ??= growth.succeed(state());
    writing = undefined;
    enough = Math.ceil((records.length + gathering.records.length) / 2);
    // Those whose records are on disk go on only after this: the disk has its next work before them.
    beginSoon(state);
  }

  async function write(records: readonly StorageRecord[]): Promise<void> {
    if (successor?.settled === true) await replaceLog(successor);
    const group = encodeRecords(records, log.size, space);
    await log.file.appendFile(group);
    log = { ...log, size: log.size + group.length };
    successor?.add(records);
  }

  async function replaceLog(ready: LogSuccessor): Promise<void> {
    successor = undefined;
    try {
      await ready.finish();
    } catch {
      // The log is only too long; it is tried again when it has grown by as much.
      log = { ...log, living: log.size };
      return ready.abandon();
    }
    const old = log.file;
    log = await ready.takeOver();
    await old.close();
  }

  return {
    append(record, state) {
      const { written } = gathering;
      const { length } = gathering.records;
      gathering.records.push(record);
      if (length === 0 || length + 1 >= enough) beginSoon(state);
      return written.promise;
    },
    async close() {
      // What gathers while a write is under way is written after it.
      while (gathering.records.length > 0) await gathering.written.promise;
      await writing;
      await successor?.abandon();
      await log.file.close();
    },
  };
}

function emptyGroup(): Group {
  return { records: [], written: Promise.withResolvers() };
}
