// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';

/** A new object with a protection finalizer, which a controller removes when the object is unused. */
export function withProtectionFinalizer<T extends KubeObject>(object: T, finalizer: string): T {
  const { finalizers = [] } = object.metadata;
  if (finalizers.includes(finalizer)) return object;
  return { ...object, metadata: { ...object.metadata, finalizers: [...finalizers, finalizer] } };
}
