// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { appliedFields } from '@forge/kube/patch/applied-fields.ts';
import type { Cache, WatchScope } from './cache.ts';

/** The cache as one watch scope shows it; the scope of everything is the cache itself. */
export function scopedCache(cache: Cache, watched: Pick<WatchScope, 'labels' | 'namespace'>): Cache {
  if (watched.labels === undefined && watched.namespace === undefined) return cache;
  return {
    ...cache,
    get: (kind, ref) => cache.get(kind, ref, watched),
    list: (kind, selection) => cache.list(kind, selection, watched),
    metadataOnly: (kind, selection) => cache.metadataOnly(kind, selection, watched),
    applied: (kind, ref, fieldManager) => cache.applied(kind, ref, fieldManager, watched),
    wasDeleted: (kind, ref) => cache.wasDeleted(kind, ref, watched),
  };
}

/** The cache for a write of one object that was fetched because the watch scope does not show it. */
export function cacheWith(cache: Cache, fetched: KubeObject): Cache {
  return {
    ...cache,
    get: <T extends KubeObject>(_kind: Kind<T>) => fetched as T,
    applied: (_kind, _ref, fieldManager) => appliedFields(fetched, fieldManager),
  };
}
