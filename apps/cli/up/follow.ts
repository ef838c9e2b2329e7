// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { refOf, type KubeObject } from '@forge/kube/objects/object.ts';

/** The objects to follow. */
interface Followed<T extends KubeObject> {
  kind: Kind<T>;
  namespace: string;
  /** The current objects by name. */
  objects: Map<string, T>;
}

/**
 * Maintains a map of a namespace's objects of a kind and calls `changed` after each change, until the signal aborts.
 */
export async function follow<T extends KubeObject>(
  kube: Client,
  { kind, namespace, objects }: Followed<T>,
  changed: (type: string, object: T) => void,
  signal: AbortSignal,
): Promise<void> {
  const aborted = () => signal.aborted;
  while (!aborted()) {
    objects.clear();
    try {
      for await (const { type, object } of kube.watch(kind, { namespace, signal })) {
        if (type === 'DELETED') objects.delete(refOf(object).name);
        else objects.set(refOf(object).name, object);
        changed(type, object);
      }
    } catch (error) {
      if (!aborted()) throw error;
    }
  }
}
