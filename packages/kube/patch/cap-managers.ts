// SPDX-License-Identifier: Apache-2.0
import { unionOf } from './field-set.ts';
import type { FieldManager } from './managers.ts';

/** The most updating managers with their own entry. */
const limit = 10;

/** The managers, with the oldest updating ones merged per version when there are too many. */
export function capManagers(managers: readonly FieldManager[]): readonly FieldManager[] {
  const updaters = managers.filter(({ operation }) => operation === 'Update');
  let excess = updaters.length - limit;
  if (excess <= 0) return managers;
  const ancient = new Map<string, FieldManager[]>();
  for (const manager of updaters.toSorted(oldestFirst)) {
    if (excess === 0) break;
    const merged = ancient.get(manager.apiVersion);
    if (merged === undefined) {
      ancient.set(manager.apiVersion, [manager]);
    } else {
      merged.push(manager);
      excess -= 1;
    }
  }
  const buckets = [...ancient].filter(([, merged]) => merged.length > 1);
  const gone = new Set(buckets.flatMap(([, merged]) => merged));
  return [...managers.filter((manager) => !gone.has(manager)), ...buckets.map(bucketOf)];
}

function bucketOf([apiVersion, merged]: [string, FieldManager[]]): FieldManager {
  const time = merged.at(-1)?.time;
  const fields = unionOf(merged.map((manager) => manager.fields));
  return { manager: 'ancient-changes', operation: 'Update', apiVersion, ...(time !== undefined && { time }), fields };
}

function oldestFirst(a: FieldManager, b: FieldManager): number {
  return ageOf(a) < ageOf(b) ? -1 : 1;
}

function ageOf({ time = '', manager }: FieldManager): string {
  return `${time}\0${manager}`;
}
