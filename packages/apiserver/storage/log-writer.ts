// SPDX-License-Identifier: Apache-2.0
import { writeAll, type LogFile } from './log-file.ts';
import { encodeRecords } from './log-format.ts';
import type { LogReplacement } from './log-replacement.ts';
import { isNoSpace, type StorageRecord, type StorageState } from './storage.ts';

/** The current log file. */
export interface OpenLog {
  readonly file: LogFile;
  /** Size in bytes, all on disk. */
  readonly size: number;
  /** Size in bytes of the live objects alone. */
  readonly liveSize: number;
}

/** When and how a log is rewritten. */
export interface RewritePolicy {
  /** Smaller logs are never rewritten. */
  minimumSize: number;
  /** Starts writing the replacement. */
  startReplacement(state: StorageState): LogReplacement;
}

/** A log is rewritten when it has grown to this many times its live data. */
const rewriteFactor = 4;

/** Size in bytes that fits most groups. */
const usualGroupSize = 256 * 1024;

/**
 * Writes to the current log, one call at a time.
 *
 * Guarantees: `write` resolves when the records are on disk. A log that has grown too large is rewritten in the
 * background; only the write that switches over waits for it.
 *
 * Errors: after a failed `write` the end of the log is unknown, and `restore` must resolve before the next one. When
 * the disk was full, the earlier contents are intact: the log is truncated to them. After any other failure (such as
 * EIO on sync) the contents of the disk are unknown, and syncing again proves nothing: the log is rewritten from
 * memory.
 */
export class LogWriter {
  readonly #policy: RewritePolicy;
  // Reused for every group, to avoid garbage collection during writes.
  readonly #buffer = Buffer.allocUnsafe(usualGroupSize);
  #log: OpenLog;
  #replacement: LogReplacement | undefined;
  /** Whether the contents of the file are unknown. */
  #untrusted = false;
  /** Size in bytes of the last failed write. */
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

  /** Starts rewriting the log when it has grown too large. */
  rewriteIfLarge(state: () => StorageState): void {
    const { size, liveSize } = this.#log;
    if (size > Math.max(this.#policy.minimumSize, liveSize * rewriteFactor))
      this.#replacement ??= this.#policy.startReplacement(state());
  }

  /** Restores a known end of the log, and verifies that there is room for what could not be written. */
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

  /** Truncates what a failed write has left, so that it is not found after a crash; if that fails, `restore` does it. */
  async #handleFailure(cause: unknown): Promise<void> {
    this.#untrusted ||= !isNoSpace(cause);
    // It may hold records that are rolled back now, and it takes up space.
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

  /** The log is merely too large; rewriting is retried when it has grown by as much again. */
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
      // After a crash either log may be found; both hold everything acknowledged.
      this.#untrusted = true;
      await ready.abandon();
      throw error;
    }
    // The old log is no longer needed.
    await old.close().catch(() => {});
  }
}
