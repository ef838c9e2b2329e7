// SPDX-License-Identifier: Apache-2.0
import type { Change, Store } from '@forge/apiserver/storage/store.ts';
import type { StoredObject } from '@forge/apiserver/storage/stored-object.ts';
import { controllerOf } from '@forge/runtime/objects/owner-reference.ts';
import { isLasting, stableKey } from './end-state.ts';

/** The changes of lasting objects. */
export interface ChangeLog {
  /** How often each object was created or deleted, by `ADDED` or `DELETED` and its stable key. */
  readonly counts: ReadonlyMap<string, number>;
  /** The latest change of each writer. */
  readonly last: ReadonlyMap<string, Change>;
  note(change: Change, writer: string): void;
}

/** Owner kinds whose dependents are created by controllers of the cluster, with their resources. */
const clusterOwners: Readonly<Record<string, string>> = {
  Deployment: 'deployments.apps',
  ReplicaSet: 'replicasets.apps',
  StatefulSet: 'statefulsets.apps',
  Job: 'jobs.batch',
  Service: 'services',
};

/** An empty change log of this store. */
export function changeLog(store: Pick<Store, 'current'>): ChangeLog {
  const counts = new Map<string, number>();
  const orphans = new Set<string>();
  const last = new Map<string, Change>();

  /**
   * Whether its owner is already deleted. A controller of the cluster may recreate what the garbage collector has just
   * deleted, until it observes that the owner is deleted; the operator does not cause that.
   */
  function isOrphan({ value }: StoredObject): boolean {
    const owner = controllerOf(value);
    const resource = clusterOwners[owner?.kind ?? ''];
    if (owner === undefined || resource === undefined) return false;
    const found = store.current.objects.get(`${resource}/${value.metadata.namespace ?? ''}/${owner.name}`);
    return found?.value.metadata.uid !== owner.uid || orphans.has(owner.uid);
  }

  return {
    counts,
    last,
    note(change, writer) {
      const { type, object } = change;
      if (!isLasting(object.key)) return;
      last.set(writer, change);
      if (type === 'MODIFIED') return;
      const { uid = '' } = object.value.metadata;
      if (type === 'ADDED' && isOrphan(object)) orphans.add(uid);
      if (orphans.has(uid)) return;
      const entry = `${type} ${stableKey(object)}`;
      counts.set(entry, (counts.get(entry) ?? 0) + 1);
    },
  };
}

/** Creates and deletes that happened more often than in the baseline run, except for objects that `mayRepeat`. */
export function repeated(
  wanted: ChangeLog['counts'],
  found: ChangeLog['counts'],
  mayRepeat: (key: string) => boolean = () => false,
): string[] {
  return [...found]
    .filter(([entry, count]) => count > (wanted.get(entry) ?? 0) && !mayRepeat(entry.replace(/^\w+ /, '')))
    .map(
      ([entry, count]) => `${entry} happened ${count} times, and ${wanted.get(entry) ?? 0} times in the baseline run`,
    );
}
