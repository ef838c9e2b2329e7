// SPDX-License-Identifier: Apache-2.0
import { constants } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '@forge/runtime/logging/logger.ts';
import { readFileIfExists } from '@forge/runtime/process/read-file-if-exists.ts';
import { appendLog } from './append-log.ts';
import type { OpenFile } from './log-file.ts';
import { decodeLog, LogDamaged, type LogContents } from './log-format.ts';
import { logSuccessor, type LogSuccessor } from './log-successor.ts';
import { LogWriter, type OpenLog } from './log-writer.ts';
import { StorageFailed, type Storage, type StorageRecord, type StorageState } from './storage.ts';

const smallestRewritten = 4 * 1024 * 1024;

/** How a store is kept in a folder. */
export interface DurableStorageOptions {
  /** Where failures to write, and their end, are logged; nowhere unless given. */
  log?: Logger;
  /** Bytes up to which a log is never written anew; 4 MiB unless given. */
  smallest?: number;
  /** Opens the log's files; as node:fs/promises does unless given. */
  openFile?: OpenFile;
}

/**
 * Keeps the store in an append-only log in a folder.
 *
 * Guarantees: an append resolves when it is on disk, one write for all that came meanwhile; a crash at any byte loses nothing
 * that resolved. A torn tail is cut off at start; a log grown to several times its living data is written anew meanwhile.
 * Assumptions: one process at a time has the folder open.
 * Errors: a log damaged before its tail is refused; after a failed write every append is refused until `recover` has brought
 * the log back to what was acknowledged.
 */
export async function durableStorage(dir: string, options: DurableStorageOptions = {}): Promise<Storage> {
  const { log: logger, smallest = smallestRewritten, openFile = open } = options;
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const path = join(dir, 'store.log');
  await rm(`${path}.new`, { force: true });
  const bytes = await readFileIfExists(path);
  const succeed = (state: StorageState) => logSuccessor(path, state, openFile);
  const { recovered, log } = bytes === undefined ? await begin(succeed) : await resume(path, bytes, openFile);
  const kept = appendLog(new LogWriter(log, { smallest, succeed }), {
    describe: (cause) => new StorageFailed(path, cause),
    report(failure) {
      if (failure === undefined) logger?.info(`The cluster's log ${path} is written again`);
      else logger?.error(failure.message);
    },
  });
  return Object.assign(kept, { recovered });
}

interface Opened {
  recovered: StorageState<Uint8Array>;
  log: OpenLog;
}

async function begin(succeed: (state: StorageState) => LogSuccessor): Promise<Opened> {
  const recovered: StorageState<Uint8Array> = { revision: 0, objects: [] };
  const first = succeed(recovered);
  await first.finish();
  return { recovered, log: await first.takeOver() };
}

async function resume(path: string, bytes: Buffer, openFile: OpenFile): Promise<Opened> {
  const contents = readLog(path, bytes);
  const recovered = livingOf(contents);
  const file = await openFile(path, constants.O_WRONLY | constants.O_DSYNC);
  if (contents.length < bytes.length) {
    await file.truncate(contents.length);
    await file.sync();
  }
  const living = recovered.objects.reduce((size, { key, value }) => size + key.length + value.length, 0);
  return { recovered, log: { file, size: contents.length, living } };
}

function readLog(path: string, bytes: Buffer): LogContents {
  try {
    return decodeLog(bytes);
  } catch (error) {
    if (!(error instanceof LogDamaged)) throw error;
    throw new Error(
      `The cluster's log ${path} is damaged at byte ${error.offset} of ${bytes.length}: ${error.message}. Nothing was changed. Put a copy of the file back, or move it away to begin with an empty cluster`,
      { cause: error },
    );
  }
}

function livingOf({ records, ...log }: LogContents): {
  revision: number;
  objects: Required<StorageRecord<Uint8Array>>[];
} {
  const living = new Map<string, Required<StorageRecord<Uint8Array>>>();
  let { revision } = log;
  for (const { value, ...record } of records) {
    revision = Math.max(revision, record.revision);
    if (value === undefined) living.delete(record.key);
    else living.set(record.key, { ...record, value });
  }
  const objects = [...living.values()].toSorted((one, other) => (one.key < other.key ? -1 : 1));
  return { revision, objects };
}
