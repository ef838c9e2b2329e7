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

/** Appends records to a log. */
export interface AppendLog {
  append(record: StorageRecord, state: () => StorageState): Promise<void>;
  close(): Promise<void>;
}

/**
 * Appends in groups: while one is on its way to disk, the next records gather. A log grown too long is
 * written anew beside it; nobody waits for that but the group in which the new one takes over.
 */
export function appendLog(opened: OpenLog, growth: Growth): AppendLog {
  let log = opened;
  let gathering: StorageRecord[] = [];
  let enough = 1;
  let gathered = Promise.withResolvers<void>();
  let next: Promise<void> | undefined;
  let last: Promise<void> = Promise.resolve();
  let successor: LogSuccessor | undefined;

  async function writeGroup(state: () => StorageState): Promise<void> {
    await last;
    await gathered.promise;
    const records = gathering;
    gathering = [];
    next = undefined;
    enough = Math.ceil(records.length / 2);
    if (successor?.settled === true) await replaceLog(successor);
    const group = encodeRecords(records, log.size);
    await log.file.appendFile(group);
    log = { ...log, size: log.size + group.length };
    successor?.add(records);
    if (log.size > Math.max(growth.smallest, log.living * tolerated)) successor ??= growth.succeed(state());
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
      gathering.push(record);
      if (next === undefined) {
        gathered = Promise.withResolvers();
        // Many writers go on at once when a group is done: half of them make a group that is written while the others work.
        setImmediate(gathered.resolve);
        last = next = writeGroup(state);
      }
      if (gathering.length >= enough) gathered.resolve();
      return next;
    },
    async close() {
      await last;
      await successor?.abandon();
      await log.file.close();
    },
  };
}
