// SPDX-License-Identifier: Apache-2.0
import { constants } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writeAll, type OpenFile } from './log-file.ts';
import { encodeHead, encodeRecords, headSize } from './log-format.ts';
import type { OpenLog } from './log-writer.ts';
import type { StorageRecord, StorageState } from './storage.ts';

const { O_WRONLY, O_CREAT, O_TRUNC, O_DSYNC } = constants;

/** A log being written to take the place of another. */
export interface LogReplacement {
  /** Whether the state is written, or writing it has failed. */
  readonly settled: boolean;
  /** Adds what the log in force has got meanwhile. */
  add(records: readonly StorageRecord[]): void;
  /** Brings it to disk whole; when that fails, the log in force is what it was. */
  finish(): Promise<void>;
  /** Puts it, finished, in the place of the log in force. */
  takeOver(): Promise<OpenLog>;
  /** Throws it away. */
  abandon(): Promise<void>;
}

/** Begins to write a log of this state beside the one at `path`, in pieces small enough to keep nobody waiting. */
export function logReplacement(path: string, state: StorageState, openFile: OpenFile = open): LogReplacement {
  const beside = `${path}.new`;
  const appended: StorageRecord[] = [];
  const opening = openFile(beside, O_WRONLY | O_CREAT | O_TRUNC | O_DSYNC, 0o600);
  let size = 0;
  let settled = false;
  const written = writeState().finally(() => (settled = true));
  // Whoever finishes it hears of a failure.
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

/** As many records as are worth a write of their own and keep nobody waiting. */
const pieceLength = 250;

function* pieces(records: Iterable<StorageRecord>): Generator<Buffer> {
  let piece: StorageRecord[] = [];
  for (const record of records) {
    if (piece.push(record) < pieceLength) continue;
    yield encodeRecords(piece, 0);
    piece = [];
  }
  yield encodeRecords(piece, 0);
}

/** A rename is on disk only when its folder is. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  await folder.sync();
  await folder.close();
}
