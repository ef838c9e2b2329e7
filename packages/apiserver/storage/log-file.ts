// SPDX-License-Identifier: Apache-2.0
import type { FileHandle } from 'node:fs/promises';

/** A log file, opened so that a write returns when its bytes are on disk (O_DSYNC). */
export interface LogFile extends Pick<FileHandle, 'truncate' | 'sync' | 'close'> {
  write(bytes: Buffer, offset: number, length: number, position: number): Promise<{ bytesWritten: number }>;
}

/** Opens a file, as node:fs/promises does. */
export type OpenFile = (path: string, flags: number, mode?: number) => Promise<LogFile>;

/** Writes all bytes at this offset; a disk that fills up may write a part of them before it fails. */
export async function writeAll(file: LogFile, bytes: Buffer, place: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    done += (await file.write(bytes, done, bytes.length - done, place + done)).bytesWritten;
  }
}
