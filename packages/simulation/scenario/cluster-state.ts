// SPDX-License-Identifier: Apache-2.0
import type { Store } from '@forge/apiserver/storage/store.ts';
import { resourceName, type Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject, ObjectRef } from '@forge/kube/objects/object.ts';

/** The current state of the cluster, for rules. */
export interface ClusterState {
  find<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef): T | undefined;
  list<T extends KubeObject>(kind: Kind<T>): T[];
}

/** Reads straight from a server's store. */
export function clusterState(store: Store): ClusterState {
  // Objects under a resource's prefix are of that kind.
  return {
    find: <T extends KubeObject>(kind: Kind<T>, { namespace = '', name }: ObjectRef) =>
      store.current.objects.get(`${resourceName(kind)}/${namespace}/${name}`)?.value as T | undefined,
    list: <T extends KubeObject>(kind: Kind<T>) =>
      [...store.current.objects.withPrefix(`${resourceName(kind)}/`)].map(({ value }) => value as T),
  };
}

/**
 * Everything that an object says, as text: without its managed fields, which are half of it and contain no value that it
 * does not contain elsewhere.
 */
export function textOf(object: KubeObject): string {
  const { managedFields: _, ...metadata } = object.metadata;
  return JSON.stringify({ ...object, metadata });
}
