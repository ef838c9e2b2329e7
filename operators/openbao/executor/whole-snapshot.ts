// SPDX-License-Identifier: Apache-2.0
import { finished } from 'node:stream/promises';
import { createGunzip, type Gunzip } from 'node:zlib';
import { errorText } from '@forge/runtime/observability/error-text.ts';
import { ExecutorFailure } from './executor-failure.ts';
import { tarReader } from './tar-names.ts';

/** The last file of a snapshot; the server writes it once everything before it is complete. */
const seal = 'SHA256SUMS.sealed';

/** A snapshot on its way. */
export interface PassingSnapshot {
  /** As it comes; it ends only when it is whole, and throws otherwise. */
  readonly content: AsyncIterable<Uint8Array>;
  /** The bytes so far. */
  readonly bytes: number;
  readonly isWhole: boolean;
  /** Why it ended early, where it was not the reader who stopped reading. */
  readonly failure: unknown;
}

/** Awaits work that is done outside of this thread; a simulation waits for it. */
export type External = <T>(work: Promise<T>) => Promise<T>;

/**
 * Looks at a snapshot that passes. The server answers 200 before it knows whether it can read everything, so that only the
 * content says whether it is whole.
 */
export function wholeSnapshot(source: AsyncIterable<Uint8Array>, external: External): PassingSnapshot {
  const passing = { content: passed(), bytes: 0, isWhole: false, failure: undefined as unknown };

  async function* passed(): AsyncGenerator<Uint8Array> {
    const files = new Map<string, number>();
    const archive = createGunzip();
    const read = readArchive(archive, files);
    // A write that breaks the archive is never reported.
    let isReading = true;
    let release: (() => void) | undefined;
    archive.once('close', () => release?.());
    try {
      for await (const chunk of source) {
        passing.bytes += chunk.byteLength;
        await external(
          new Promise<void>((resolve) => {
            release = resolve;
            archive.write(chunk, () => resolve());
          }),
        );
        if (archive.errored !== null) throw damaged(archive.errored);
        // What is thrown in here comes from the reader.
        isReading = false;
        yield chunk;
        isReading = true;
      }
      archive.end();
      const broken = await external(read);
      if (broken !== undefined) throw damaged(broken);
      if ((files.get(seal) ?? 0) === 0) {
        throw new ExecutorFailure('snapshot', `the snapshot is not whole: it ends without ${seal}`);
      }
      passing.isWhole = true;
    } catch (error) {
      if (isReading) passing.failure = error;
      throw error;
    } finally {
      archive.destroy();
      await external(read);
    }
  }

  return passing;
}

const damaged = (cause: unknown) =>
  new ExecutorFailure('snapshot', `the snapshot is damaged: ${errorText(cause)}`, cause);

/** Reads the archive to its end; resolves with what is wrong with it. */
async function readArchive(archive: Gunzip, files: Map<string, number>): Promise<unknown> {
  const tar = tarReader(({ name, size }) => files.set(name, size));
  archive.on('data', (bytes: Buffer) => {
    try {
      tar.take(bytes);
    } catch (error) {
      archive.destroy(error as Error);
    }
  });
  return await finished(archive).then(
    () => undefined,
    (error: unknown) => error,
  );
}
