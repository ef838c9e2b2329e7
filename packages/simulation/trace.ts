// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';

/** What happened in a run, one line each, in order. */
export interface Trace {
  readonly lines: readonly string[];
  /** Equal for runs that went the same way. */
  hash: () => string;
  note: (what: string) => void;
}

/** An empty trace. */
export function trace(): Trace {
  const lines: string[] = [];
  return {
    lines,
    note: (what) => void lines.push(what),
    hash: () => createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16),
  };
}
