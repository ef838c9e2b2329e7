// SPDX-License-Identifier: Apache-2.0
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Exchange } from './conversation/exchange.ts';

/** The recorded answers of an area. */
type Recording = Readonly<Record<string, Exchange[]>>;

/** The recordings in a folder, one file per area. */
export function recordingsIn(folder: URL) {
  const fileOf = (area: string) => fileURLToPath(new URL(`${area}.json`, folder));
  return {
    fileOf,
    /** Reads the recording of an area; empty when there is none. */
    read: async (area: string): Promise<Recording> => {
      try {
        return JSON.parse(await readFile(fileOf(area), 'utf8')) as Recording;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
        throw new Error(`The recording of ${area} cannot be read; record it again`, { cause: error });
      }
    },
    /** Writes a recording, on one line: the formatter keeps existing line breaks. */
    write: (area: string, recording: Recording) => writeFile(fileOf(area), JSON.stringify(recording)),
  };
}
