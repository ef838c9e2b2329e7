// SPDX-License-Identifier: Apache-2.0
import { open } from 'node:fs/promises';
import type { LogFile, OpenFile } from '../storage/log-file.ts';

/** A disk with injectable failures. Everything else is really written. */
export class FaultyDisk {
  /** Total size limit in bytes of the open files: a write beyond it is partial, and the next one fails. */
  capacity = Infinity;
  readonly #sizes = new Map<LogFile, number>();
  /** Operations that fail with EIO; a write fails after its bytes were written, as a failed fsync would. */
  readonly broken = new Set<'write' | 'sync' | 'truncate' | 'open'>();

  readonly open: OpenFile = async (path, flags, mode) => {
    this.#check('open');
    const file = await open(path, flags, mode);
    const faulty: LogFile = {
      write: async (bytes, offset, length, position) => {
        const fitting = Math.min(length, this.#endOf(faulty) - position);
        if (fitting <= 0) throw systemError('ENOSPC', 'no space left on device', 'write');
        const written = await file.write(bytes, offset, fitting, position);
        this.#sizes.set(faulty, Math.max(this.#sizes.get(faulty) ?? 0, position + fitting));
        this.#check('write');
        return written;
      },
      truncate: async (length) => {
        this.#check('truncate');
        await file.truncate(length);
        this.#sizes.set(faulty, length ?? 0);
      },
      sync: async () => {
        this.#check('sync');
        await file.sync();
      },
      close: async () => {
        this.#sizes.delete(faulty);
        await file.close();
      },
    };
    this.#sizes.set(faulty, (await file.stat()).size);
    return faulty;
  };

  /** The maximum size of the file, given the sizes of the others. */
  #endOf(file: LogFile): number {
    let others = 0;
    for (const [each, size] of this.#sizes) if (each !== file) others += size;
    return Math.max(this.capacity - others, this.#sizes.get(file) ?? 0);
  }

  #check(operation: 'write' | 'sync' | 'truncate' | 'open'): void {
    if (this.broken.has(operation)) throw systemError('EIO', 'i/o error', operation);
  }
}

function systemError(code: string, what: string, syscall: string): Error {
  return Object.assign(new Error(`${code}: ${what}, ${syscall}`), { code, syscall });
}
