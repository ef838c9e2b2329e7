// SPDX-License-Identifier: Apache-2.0
import type { Change } from '@forge/apiserver/storage/store.ts';
import { isLasting, stableKey } from './end-state.ts';

/** The changes of lasting objects. */
export interface ChangeLog {
  /** How often each object was created or deleted, by `ADDED` or `DELETED` and its stable key. */
  readonly counts: ReadonlyMap<string, number>;
  /** The latest change. */
  readonly last: Change | undefined;
  note(change: Change): void;
}

/** An empty change log. */
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

/** Creates and deletes that happened more often than in the baseline run. */
export function repeated(wanted: ChangeLog['counts'], found: ChangeLog['counts']): string[] {
  return [...found]
    .filter(([entry, count]) => count > (wanted.get(entry) ?? 0))
    .map(
      ([entry, count]) => `${entry} happened ${count} times, and ${wanted.get(entry) ?? 0} times in the baseline run`,
    );
}
