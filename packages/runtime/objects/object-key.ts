// SPDX-License-Identifier: Apache-2.0
import type { ObjectRef } from '@forge/kube/objects/object.ts';

/** The reference as a string: `namespace/name`. */
export function keyOf({ namespace = '', name }: ObjectRef): string {
  return `${namespace}/${name}`;
}

/** The reference of a key. */
export function refFromKey(key: string): ObjectRef {
  const slash = key.indexOf('/');
  return { namespace: key.slice(0, slash) || undefined, name: key.slice(slash + 1) };
}
