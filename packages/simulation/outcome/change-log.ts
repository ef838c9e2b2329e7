// SPDX-License-Identifier: Apache-2.0
import type { Change } from '@forge/apiserver/storage/store.ts';
import { isLasting, stableKey } from './end-state.ts';

/** What was done to objects that last. */
export interface ChangeLog {
  /** How often something was created or deleted, by `ADDED` or `DELETED` and its place. */
  readonly counts: ReadonlyMap<string, number>;
  /** The newest change. */
  readonly last: Change | undefined;
  note(change: Change): void;
}

/** An empty ledger. */
export function changeLog(): ChangeLog {
  const counts = new Map<string, number>();
  let last: Change | undefined;
  return {
    counts,
    get last() {
      return last;
    },
    note(change) {
      const { type, object } = change;
      if (!isLasting(object.key)) return;
      last = change;
      if (type === 'MODIFIED') return;
      const entry = `${type} ${stableKey(object)}`;
      counts.set(entry, (counts.get(entry) ?? 0) + 1);
    },
  };
}

/** What happened more often than in the baseline run: a create or delete that was done twice. */
export function repeated(wanted: ChangeLog['counts'], found: ChangeLog['counts']): string[] {
  return [...found]
    .filter(([entry, count]) => count > (wanted.get(entry) ?? 0))
    .map(([entry, count]) => `${entry} happened ${count} times, and ${wanted.get(entry) ?? 0} times baseline`);
}
