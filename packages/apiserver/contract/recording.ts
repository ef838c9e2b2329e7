// SPDX-License-Identifier: Apache-2.0
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Exchange } from './conversation/exchange.ts';

/** What the real server said in the rows of one area. */
export type Recording = Readonly<Record<string, Exchange[]>>;

/** The file of an area's recording. */
export function recordingFile(area: string): string {
  return fileURLToPath(new URL(`recorded/${area}.json`, import.meta.url));
}

/** The recording of an area; empty when nothing was recorded yet. */
export async function readRecording(area: string): Promise<Recording> {
  try {
    return JSON.parse(await readFile(recordingFile(area), 'utf8')) as Recording;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new Error(`The recording of ${area} cannot be read; record it again`, { cause: error });
  }
}

/** Writes a recording; on one line, since the formatter keeps the line breaks it finds. */
export async function writeRecording(area: string, recording: Recording): Promise<void> {
  await writeFile(recordingFile(area), JSON.stringify(recording));
}
