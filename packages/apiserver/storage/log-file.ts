// SPDX-License-Identifier: Apache-2.0
import type { FileHandle } from 'node:fs/promises';

/** What is asked of a log's file, which is opened so that a write ends when its bytes are on disk (O_DSYNC). */
export interface LogFile extends Pick<FileHandle, 'truncate' | 'sync' | 'close'> {
  write(bytes: Buffer, offset: number, length: number, position: number): Promise<{ bytesWritten: number }>;
}

/** Opens a file, as node:fs/promises does. */
export type OpenFile = (path: string, flags: number, mode?: number) => Promise<LogFile>;

/** Writes all the bytes at this place: a disk that fills up takes a part of them before it refuses. */
export async function writeAll(file: LogFile, bytes: Buffer, place: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    done += (await file.write(bytes, done, bytes.length - done, place + done)).bytesWritten;
  }
}
