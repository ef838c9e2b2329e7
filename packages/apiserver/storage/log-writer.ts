// SPDX-License-Identifier: Apache-2.0
import { writeAll, type LogFile } from './log-file.ts';
import { encodeRecords } from './log-format.ts';
import type { LogReplacement } from './log-replacement.ts';
import { isNoSpace, type StorageRecord, type StorageState } from './storage.ts';

/** A log file that is in force. */
export interface OpenLog {
  readonly file: LogFile;
  /** Bytes in it, all of them on disk. */
  readonly size: number;
  /** Bytes it would have if it held the living objects only. */
  readonly liveSize: number;
}

/** How a log that grows is replaced. */
export interface RewritePolicy {
  /** A log smaller than this is left alone. */
  minimumSize: number;
  /** Begins to write the log that takes over. */
  startReplacement(state: StorageState): LogReplacement;
}

/** A log is written anew when it has grown to so many times its living data. */
const rewriteFactor = 4;

/** As many bytes as most groups have. */
const usualGroupSize = 256 * 1024;

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
  readonly #policy: RewritePolicy;
  // For one group after the other: much of what is allocated by the way is collected at a bad time.
  readonly #buffer = Buffer.allocUnsafe(usualGroupSize);
  #log: OpenLog;
  #replacement: LogReplacement | undefined;
  /** Whether the file can no longer be trusted. */
  #untrusted = false;
  /** Bytes of the write that failed last. */
  #failedSize = 0;

  constructor(opened: OpenLog, policy: RewritePolicy) {
    this.#log = opened;
    this.#policy = policy;
  }

  async write(records: readonly StorageRecord[]): Promise<void> {
    try {
      if (this.#replacement?.settled === true) await this.#replaceLog(this.#replacement);
      const group = encodeRecords(records, this.#log.size, this.#buffer);
      this.#failedSize = group.length;
      await writeAll(this.#log.file, group, this.#log.size);
      this.#log = { ...this.#log, size: this.#log.size + group.length };
      this.#replacement?.add(records);
    } catch (error) {
      await this.#handleFailure(error);
      throw error;
    }
  }

  /** Begins to write the log anew when it has grown too long. */
  rewriteIfLarge(state: () => StorageState): void {
    const { size, liveSize } = this.#log;
    if (size > Math.max(this.#policy.minimumSize, liveSize * rewriteFactor))
      this.#replacement ??= this.#policy.startReplacement(state());
  }

  /** Makes the end of the log known again, and proves that there is room for what could not be written. */
  async restore(state: StorageState): Promise<void> {
    try {
      if (this.#untrusted) await this.#rewrite(state);
      else await this.#truncate();
      await writeAll(this.#log.file, Buffer.alloc(this.#failedSize), this.#log.size);
      await this.#truncate();
    } catch (error) {
      await this.#handleFailure(error);
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#replacement?.abandon();
    await this.#log.file.close();
  }

  /** Cuts off what a failed write has left, so that a crash finds none of it; if that fails, `restore` does it. */
  async #handleFailure(cause: unknown): Promise<void> {
    this.#untrusted ||= !isNoSpace(cause);
    // It may hold what is taken back now, and take the room that is missing.
    if (this.#replacement !== undefined) await this.#abandonReplacement(this.#replacement);
    if (!this.#untrusted) await this.#truncate().catch(() => {});
  }

  async #truncate(): Promise<void> {
    await this.#log.file.truncate(this.#log.size);
    await this.#log.file.sync();
  }

  async #replaceLog(ready: LogReplacement): Promise<void> {
    try {
      await ready.finish();
    } catch {
      return this.#abandonReplacement(ready);
    }
    await this.#takeOver(ready);
  }

  /** The log is only too long; it is tried again when it has grown by as much. */
  async #abandonReplacement(replacement: LogReplacement): Promise<void> {
    this.#replacement = undefined;
    this.#log = { ...this.#log, liveSize: this.#log.size };
    await replacement.abandon();
  }

  async #rewrite(state: StorageState): Promise<void> {
    const rewritten = this.#policy.startReplacement(state);
    try {
      await rewritten.finish();
    } catch (error) {
      await rewritten.abandon();
      throw error;
    }
    await this.#takeOver(rewritten);
    this.#untrusted = false;
  }

  async #takeOver(ready: LogReplacement): Promise<void> {
    this.#replacement = undefined;
    const old = this.#log.file;
    try {
      this.#log = await ready.takeOver();
    } catch (error) {
      // Which of the two logs a crash would find is unknown; both hold all that was acknowledged.
      this.#untrusted = true;
      await ready.abandon();
      throw error;
    }
    // It holds nothing any more that is needed.
    await old.close().catch(() => {});
  }
}
