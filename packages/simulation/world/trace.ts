// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';

/** The steps of a run, one line each, in order. */
export interface Trace {
  readonly lines: readonly string[];
  /** Equal for identical runs. */
  hash: () => string;
  note: (what: string) => void;
}

/** An empty trace. */
export function trace(): Trace {
  const lines: string[] = [];
  return {
    lines,
    note: (what) => void lines.push(what),
    hash: () => digest([lines.join('\n')]),
  };
}

/** A short hash of these parts. */
export function digest(parts: Iterable<string | Uint8Array>): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex').slice(0, 16);
}
