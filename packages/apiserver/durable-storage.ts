// SPDX-License-Identifier: Apache-2.0
import { mkdir, open, readFile, rename, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeRecords, encodeRecord } from './storage/log-record.ts';
import type { Storage, StorageRecord } from './storage/storage.ts';

/** The key of a record that only says which revision was given out last. */
const revisionMark = '';

/**
 * Keeps the store in an append-only log in a folder.
 *
 * Guarantees: an append resolves after fdatasync, one for all that came meanwhile; a crash at any byte loses nothing
 * that resolved. At start a torn tail is cut off and the log is rewritten with the living objects only.
 * Assumptions: one process at a time has the folder open.
 * Errors: after a failed write every append is refused with that failure, since the log no longer tells the truth.
 */
export async function durableStorage(dir: string): Promise<Storage> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const path = join(dir, 'store.log');
  const recovered = livingOf(decodeRecords(await readIfThere(path)).records);
  await rewrite(dir, path, recovered);
  const file = await open(path, 'a', 0o600);
  const append = groupAppend(file, path);
  return {
    recovered,
    append: (record) => append(encodeRecord(record)),
    async close() {
      await append(Buffer.alloc(0));
      await file.close();
    },
  };
}

function livingOf(records: readonly StorageRecord[]): Storage['recovered'] {
  const living = new Map<string, Required<StorageRecord>>();
  let revision = 0;
  for (const { value, ...record } of records) {
    revision = Math.max(revision, record.revision);
    if (value === undefined) living.delete(record.key);
    else living.set(record.key, { ...record, value });
  }
  const objects = [...living.values()].toSorted((one, other) => (one.key < other.key ? -1 : 1));
  return { revision, objects };
}

/** Writes the new log beside the old one and swaps them, so that a crash leaves one of the two whole. */
async function rewrite(dir: string, path: string, { revision, objects }: Storage['recovered']): Promise<void> {
  const records = [...objects, { revision, key: revisionMark }];
  const file = await open(`${path}.new`, 'w', 0o600);
  await file.writeFile(Buffer.concat(records.map(encodeRecord)));
  await file.sync();
  await file.close();
  await rename(`${path}.new`, path);
  const folder = await open(dir, 'r');
  await folder.sync();
  await folder.close();
}

/** Appends in groups: while one write and its fdatasync are under way, the next records gather. */
function groupAppend(file: FileHandle, path: string): (record: Uint8Array) => Promise<void> {
  let gathering: Uint8Array[] = [];
  let next: Promise<void> | undefined;
  let last: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    await last;
    const records = gathering;
    gathering = [];
    next = undefined;
    try {
      await file.appendFile(Buffer.concat(records));
      await file.datasync();
    } catch (cause) {
      throw new Error(`The cluster's log ${path} cannot be written; free the disk or fix the file, then start again`, {
        cause,
      });
    }
  }

  return (record) => {
    gathering.push(record);
    if (next === undefined) last = next = write();
    return next;
  };
}

async function readIfThere(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}
