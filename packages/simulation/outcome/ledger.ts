// SPDX-License-Identifier: Apache-2.0
import type { Change } from '@forge/apiserver/storage/store.ts';
import { isLasting, placeOf } from './end-state.ts';

/** What was done to objects that last. */
export interface Ledger {
  /** How often something was created or deleted, by `ADDED` or `DELETED` and its place. */
  readonly counts: ReadonlyMap<string, number>;
  /** The newest change. */
  readonly last: Change | undefined;
  note(change: Change): void;
}

/** An empty ledger. */
export function ledger(): Ledger {
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
      const entry = `${type} ${placeOf(object)}`;
      counts.set(entry, (counts.get(entry) ?? 0) + 1);
    },
  };
}

/** What happened more often than in the undisturbed run: a create or delete that was done twice. */
export function repeated(wanted: Ledger['counts'], found: Ledger['counts']): string[] {
  return [...found]
    .filter(([entry, count]) => count > (wanted.get(entry) ?? 0))
    .map(([entry, count]) => `${entry} happened ${count} times, and ${wanted.get(entry) ?? 0} times undisturbed`);
}
