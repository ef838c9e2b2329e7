// SPDX-License-Identifier: Apache-2.0
import type { ReadFile } from './connection.ts';

/** How long a token is used before the file is read again; tokens are rotated well before they expire. */
const freshFor = 60_000;

/** The token in a file that is rotated: it is read again every minute; when that fails, the last token is kept. */
export function tokenFile(path: string, readFile: ReadFile, now: () => number): () => Promise<string> {
  let token: string | undefined;
  let readAt = -Infinity;
  return async () => {
    if (token !== undefined && now() < readAt + freshFor) return token;
    try {
      token = (await readFile(path)).trim();
      readAt = now();
    } catch (error) {
      if (token === undefined) throw new Error(`cannot read the token in ${path}`, { cause: error });
    }
    return token;
  };
}
