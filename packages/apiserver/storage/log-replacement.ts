// SPDX-License-Identifier: Apache-2.0
import { constants } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { slicesOf } from '../messages/slices.ts';
import { writeAll, type OpenFile } from './log-file.ts';
import { encodeHead, encodeRecords, headSize } from './log-format.ts';
import type { OpenLog } from './log-writer.ts';
import type { StorageRecord, StorageState } from './storage.ts';

const { O_WRONLY, O_CREAT, O_TRUNC, O_DSYNC } = constants;

/** A compacted log that is being written to replace the current one. */
export interface LogReplacement {
  /** Whether writing the state has completed or failed. */
  readonly settled: boolean;
  /** Adds records appended to the current log in the meantime. */
  add(records: readonly StorageRecord[]): void;
  /** Writes everything to disk; on failure the current log is unchanged. */
  finish(): Promise<void>;
  /** Replaces the current log with it. */
  takeOver(): Promise<OpenLog>;
  /** Discards it. */
  abandon(): Promise<void>;
}

/**
 * Starts writing a log of this state next to the one at `path`, in batches small enough not to block other requests.
 */
export function logReplacement(path: string, state: StorageState, openFile: OpenFile = open): LogReplacement {
  const beside = `${path}.new`;
  const appended: StorageRecord[] = [];
  const opening = openFile(beside, O_WRONLY | O_CREAT | O_TRUNC | O_DSYNC, 0o600);
  let size = 0;
  let settled = false;
  const written = writeState().finally(() => (settled = true));
  // finish() reports the failure.
  written.catch(() => {});

  async function write(bytes: Buffer): Promise<void> {
    await writeAll(await opening, bytes, size);
    size += bytes.length;
  }

  async function writeState(): Promise<void> {
    await write(Buffer.alloc(headSize));
    for (const piece of pieces(state.objects)) await write(piece);
  }

  return {
    get settled() {
      return settled;
    },
    add(records) {
      for (const record of records) appended.push(record);
    },
    async finish() {
      await written;
      for (const piece of pieces(appended)) await write(piece);
      const file = await opening;
      await writeAll(file, encodeHead({ revision: state.revision, base: size }), 0);
      await file.sync();
    },
    async takeOver() {
      await rename(beside, path);
      await syncFolder(dirname(path));
      return { file: await opening, size, liveSize: size };
    },
    async abandon() {
      await written.catch(() => {});
      await opening.then((file) => file.close()).catch(() => {});
      await rm(beside, { force: true });
    },
  };
}

function* pieces(records: Iterable<StorageRecord>): Generator<Buffer> {
  for (const slice of slicesOf(records, ({ value }) => value?.length ?? 0)) yield encodeRecords(slice, 0);
}

/** A rename is durable only when its folder is synced. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  await folder.sync();
  await folder.close();
}
