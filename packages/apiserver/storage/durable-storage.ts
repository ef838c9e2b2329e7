// SPDX-License-Identifier: Apache-2.0
import { constants } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '@forge/runtime/observability/logger.ts';
import { readFileIfExists } from '@forge/runtime/process/read-file-if-exists.ts';
import { appendLog } from './append-log.ts';
import type { OpenFile } from './log-file.ts';
import { decodeLog, LogCorrupted, type LogContents } from './log-format.ts';
import { logReplacement, type LogReplacement } from './log-replacement.ts';
import { LogWriter, type OpenLog } from './log-writer.ts';
import { StorageFailed, type Storage, type StorageRecord, type StorageState } from './storage.ts';

const defaultMinimumRewriteSize = 4 * 1024 * 1024;

/** Options of durable storage. */
export interface DurableStorageOptions {
  /** Logs dropped records, write failures and recovery. Default: none. */
  log?: Logger;
  /** Log size in bytes below which it is never rewritten. Default: 4 MiB. */
  minimumRewriteSize?: number;
  /** Opens log files. Default: node:fs/promises. */
  openFile?: OpenFile;
}

/**
 * Keeps the store in an append-only log in a folder.
 *
 * Guarantees: an append resolves when it is on disk; appends are group-committed; a crash at any byte loses nothing
 * that resolved. A torn tail is truncated on start; a log that has grown to several times its live data is rewritten in
 * the background.
 * Assumptions: one process at a time has the folder open.
 * Errors: a log corrupted before its tail is rejected; after a failed write every append fails until `recover` has
 * restored the log to the acknowledged state.
 */
export async function durableStorage(dir: string, options: DurableStorageOptions = {}): Promise<Storage> {
  const { log: logger, minimumRewriteSize: minimumSize = defaultMinimumRewriteSize, openFile = open } = options;
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const path = join(dir, 'store.log');
  await rm(`${path}.new`, { force: true });
  const bytes = await readFileIfExists(path);
  const startReplacement = (state: StorageState) => logReplacement(path, state, openFile);
  const { recovered, log } =
    bytes === undefined ? await createLog(startReplacement) : await openLog(path, bytes, { openFile, logger });
  const storage = appendLog(new LogWriter(log, { minimumSize, startReplacement }), {
    describe: (cause) => new StorageFailed(path, cause),
    report(failure) {
      if (failure === undefined) logger?.info(`Writes to the cluster's log ${path} succeed again`);
      else logger?.error(failure.message);
    },
  });
  return Object.assign(storage, { recovered });
}

interface Opened {
  recovered: StorageState<Uint8Array>;
  log: OpenLog;
}

async function createLog(startReplacement: (state: StorageState) => LogReplacement): Promise<Opened> {
  const recovered: StorageState<Uint8Array> = { revision: 0, objects: [] };
  const first = startReplacement(recovered);
  await first.finish();
  return { recovered, log: await first.takeOver() };
}

async function openLog(
  path: string,
  bytes: Buffer,
  { openFile, logger }: { openFile: OpenFile; logger: Logger | undefined },
): Promise<Opened> {
  const contents = parseLog(path, bytes);
  const recovered = liveStateOf(contents);
  const file = await openFile(path, constants.O_WRONLY | constants.O_DSYNC);
  if (contents.length < bytes.length) {
    // A crash can cause this, but so can a damaged disk, and then an acknowledged change is lost.
    const dropped = `${bytes.length - contents.length} bytes at byte ${contents.length}`;
    logger?.warn(`The cluster's log ${path} ended with an incomplete or damaged record, which was dropped: ${dropped}`);
    await file.truncate(contents.length);
    await file.sync();
  }
  const live = recovered.objects.reduce((size, { key, value }) => size + key.length + value.length, 0);
  return { recovered, log: { file, size: contents.length, liveSize: live } };
}

function parseLog(path: string, bytes: Buffer): LogContents {
  try {
    return decodeLog(bytes);
  } catch (error) {
    if (!(error instanceof LogCorrupted)) throw error;
    throw new Error(
      `The cluster's log ${path} is corrupted at byte ${error.offset} of ${bytes.length}: ${error.message}. Nothing was changed. Restore the file from a backup, or move it away to start with an empty cluster`,
      { cause: error },
    );
  }
}

function liveStateOf({ records, ...log }: LogContents): {
  revision: number;
  objects: Required<StorageRecord<Uint8Array>>[];
} {
  const live = new Map<string, Required<StorageRecord<Uint8Array>>>();
  let { revision } = log;
  for (const { value, ...record } of records) {
    revision = Math.max(revision, record.revision);
    if (value === undefined) live.delete(record.key);
    else live.set(record.key, { ...record, value });
  }
  const objects = [...live.values()].toSorted((one, other) => (one.key < other.key ? -1 : 1));
  return { revision, objects };
}
