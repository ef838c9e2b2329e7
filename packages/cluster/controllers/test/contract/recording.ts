// SPDX-License-Identifier: Apache-2.0
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Exchange } from '@forge/apiserver/contract/conversation/exchange.ts';

/** What the rows of an area observed on a real cluster. */
export type Recording = Readonly<Record<string, Exchange[]>>;

/** The path of an area's recording. */
export function recordingFile(area: string): string {
  return fileURLToPath(new URL(`recorded/${area}.json`, import.meta.url));
}

/** Reads the recording of an area; empty when there is none. */
export async function readRecording(area: string): Promise<Recording> {
  try {
    return JSON.parse(await readFile(recordingFile(area), 'utf8')) as Recording;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new Error(`The recording of ${area} cannot be read; record it again`, { cause: error });
  }
}
