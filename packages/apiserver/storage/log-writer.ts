// SPDX-License-Identifier: Apache-2.0
import { writeAll, type LogFile } from './log-file.ts';
import { encodeRecords } from './log-format.ts';
import type { LogSuccessor } from './log-successor.ts';
import { isNoSpace, type StorageRecord, type StorageState } from './storage.ts';

/** A log file that is in force. */
export interface OpenLog {
  readonly file: LogFile;
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

/**
 * Writes to the log in force, one call at a time.
 *
 * Guarantees: `write` resolves when the records are on disk. A log grown too long is written anew beside it; no write waits
 * for that but the one in which the new log takes over.
 *
 * Errors: after a failed `write` the end of the log is unknown, and `restore` must resolve before the next one. When there
 * was no room, what was on disk is still there: the log is cut back to it. After any other failure (EIO when syncing, say)
 * nobody can tell what the disk holds, and syncing again proves nothing: the log is written anew from memory.
 */
export class LogWriter {
  readonly #growth: Growth;
  // For one group after the other: much of what is allocated by the way is collected at a bad time.
  readonly #space = Buffer.allocUnsafe(usualGroup);
  #log: OpenLog;
  #successor: LogSuccessor | undefined;
  /** Whether the file can no longer be trusted. */
  #doubtful = false;
  /** Bytes of the write that failed last. */
  #wanted = 0;

  constructor(opened: OpenLog, growth: Growth) {
    this.#log = opened;
    this.#growth = growth;
  }

  async write(records: readonly StorageRecord[]): Promise<void> {
    try {
      if (this.#successor?.settled === true) await this.#replaceLog(this.#successor);
      const group = encodeRecords(records, this.#log.size, this.#space);
      this.#wanted = group.length;
      await writeAll(this.#log.file, group, this.#log.size);
      this.#log = { ...this.#log, size: this.#log.size + group.length };
      this.#successor?.add(records);
    } catch (error) {
      await this.#distrust(error);
      throw error;
    }
  }

  /** Begins to write the log anew when it has grown too long. */
  shorten(state: () => StorageState): void {
    const { size, living } = this.#log;
    if (size > Math.max(this.#growth.smallest, living * tolerated)) this.#successor ??= this.#growth.succeed(state());
  }

  /** Makes the end of the log known again, and proves that there is room for what could not be written. */
  async restore(state: StorageState): Promise<void> {
    try {
      if (this.#doubtful) await this.#writeAnew(state);
      else await this.#cutBack();
      await writeAll(this.#log.file, Buffer.alloc(this.#wanted), this.#log.size);
      await this.#cutBack();
    } catch (error) {
      await this.#distrust(error);
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#successor?.abandon();
    await this.#log.file.close();
  }

  /** Cuts off what a failed write has left, so that a crash finds none of it; if that fails, `restore` does it. */
  async #distrust(cause: unknown): Promise<void> {
    this.#doubtful ||= !isNoSpace(cause);
    // It may hold what is taken back now, and take the room that is missing.
    if (this.#successor !== undefined) await this.#abandonSuccessor(this.#successor);
    if (!this.#doubtful) await this.#cutBack().catch(() => {});
  }

  async #cutBack(): Promise<void> {
    await this.#log.file.truncate(this.#log.size);
    await this.#log.file.sync();
  }

  async #replaceLog(ready: LogSuccessor): Promise<void> {
    try {
      await ready.finish();
    } catch {
      return this.#abandonSuccessor(ready);
    }
    await this.#takeOver(ready);
  }

  /** The log is only too long; it is tried again when it has grown by as much. */
  async #abandonSuccessor(successor: LogSuccessor): Promise<void> {
    this.#successor = undefined;
    this.#log = { ...this.#log, living: this.#log.size };
    await successor.abandon();
  }

  async #writeAnew(state: StorageState): Promise<void> {
    const anew = this.#growth.succeed(state);
    try {
      await anew.finish();
    } catch (error) {
      await anew.abandon();
      throw error;
    }
    await this.#takeOver(anew);
    this.#doubtful = false;
  }

  async #takeOver(ready: LogSuccessor): Promise<void> {
    this.#successor = undefined;
    const old = this.#log.file;
    try {
      this.#log = await ready.takeOver();
    } catch (error) {
      // Which of the two logs a crash would find is unknown; both hold all that was acknowledged.
      this.#doubtful = true;
      await ready.abandon();
      throw error;
    }
    // It holds nothing any more that is needed.
    await old.close().catch(() => {});
  }
}
