// SPDX-License-Identifier: Apache-2.0
import type { ReadFile } from './connection.ts';

/** How long a token that was read is used; tokens are renewed well before they expire. */
const freshFor = 60_000;

/** The token in a file that somebody renews: read again every minute; one that cannot be read stays in use. */
export function tokenFile(path: string, readFile: ReadFile, now: () => number): () => Promise<string> {
  let token: string | undefined;
  let readAt = -Infinity;
  return async () => {
    if (token !== undefined && now() < readAt + freshFor) return token;
    try {
      token = (await readFile(path)).trim();
      readAt = now();
    } catch (error) {
      if (token === undefined) throw new Error(`The token in ${path} cannot be read`, { cause: error });
    }
    return token;
  };
}
