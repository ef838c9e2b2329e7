// SPDX-License-Identifier: Apache-2.0
import { resourceName, type Kind } from '@forge/kube/kinds/kind.ts';
import { refOf, type KubeObject, type ObjectRef } from '@forge/kube/objects/object.ts';
import { appliedFields } from '@forge/kube/patch/applied-fields.ts';
import { parseLabelSelector } from '@forge/kube/selectors/parse-label-selector.ts';
import { matchesLabels } from '@forge/kube/selectors/selector.ts';
import type { Cache, WatchScope } from '../cache/cache.ts';
import type { CacheSelection } from '../cache/object-store.ts';
import { keyOf } from '../objects/object-key.ts';
import { ownerUidsOf } from '../objects/owner-reference.ts';

/** The planned objects by key; undefined for deleted ones. */
export type PlannedObjects = Map<string, KubeObject | undefined>;

/** The key of a planned object. */
export function plannedKey(kind: Kind, ref: ObjectRef): string {
  return `${resourceName(kind)} ${keyOf(ref)}`;
}

/** The cache with the planned writes applied: as a pass does, a plan reads its own writes. */
export function plannedCache(cache: Cache, planned: PlannedObjects): Cache {
  return {
    ...cache,

    get<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef, watched?: WatchScope) {
      const place = plannedKey(kind, ref);
      if (!planned.has(place)) return cache.get(kind, ref, watched);
      const written = planned.get(place) as T | undefined;
      return written !== undefined && isWatched(written, watched) ? written : undefined;
    },

    list<T extends KubeObject>(kind: Kind<T>, selection: CacheSelection<T> = {}, watched?: WatchScope) {
      const known = cache.list(kind, selection, watched);
      const untouched = known.filter((each) => !planned.has(plannedKey(kind, refOf(each))));
      const written = [...planned].flatMap(([place, object]) =>
        object !== undefined && place === plannedKey(kind, refOf(object)) ? [object as T] : [],
      );
      const shown = written.filter((each) => isSelected(each, selection) && isWatched(each, watched));
      return [...untouched, ...shown];
    },

    applied(kind, ref, fieldManager, watched) {
      const written = planned.get(plannedKey(kind, ref));
      if (written === undefined) return cache.applied(kind, ref, fieldManager, watched);
      return appliedFields(written, fieldManager);
    },
  };
}

/** Whether a watch of this scope would show the object. */
function isWatched({ metadata }: KubeObject, { labels = '', namespace }: WatchScope = {}): boolean {
  const isThere = namespace === undefined || metadata.namespace === namespace;
  return isThere && matchesLabels(parseLabelSelector(labels), metadata.labels);
}

function isSelected<T extends KubeObject>(
  object: T,
  { namespace, labels = {}, owner, where }: CacheSelection<T>,
): boolean {
  const { metadata } = object;
  return (
    (namespace === undefined || metadata.namespace === namespace) &&
    Object.entries(labels).every(([label, value]) => metadata.labels?.[label] === value) &&
    (owner === undefined || ownerUidsOf(object).includes(owner)) &&
    (where === undefined || where.index.valuesOf(object).includes(where.value))
  );
}
