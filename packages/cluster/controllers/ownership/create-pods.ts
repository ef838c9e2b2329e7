// SPDX-License-Identifier: Apache-2.0
import { Pod } from '@forge/kube/kinds/builtin.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import type { ReconcileContext } from '@forge/runtime/controller/controller.ts';
import { removeObject } from '../../objects/remove-object.ts';

/** How many pods of an owner are created or deleted at most before others have their turn, as in Kubernetes. */
export const podsPerPass = 500;

/** Creates this many pods for the owner, one by one; stops after the first failure. */
export async function createPods(
  owner: KubeObject,
  pod: Pod,
  count: number,
  { client, event }: ReconcileContext,
): Promise<void> {
  for (let created = 0; created < count; created++) {
    try {
      const { metadata } = await client.create(Pod, pod);
      await event(owner, { type: 'Normal', reason: 'SuccessfulCreate', message: `Created pod: ${metadata.name}` });
    } catch (error) {
      await event(owner, { type: 'Warning', reason: 'FailedCreate', message: `Error creating: ${String(error)}` });
      throw error;
    }
  }
}

/** Deletes these pods of the owner. */
export async function deletePods(
  owner: KubeObject,
  pods: readonly Pod[],
  { client, event }: ReconcileContext,
): Promise<void> {
  for (const pod of pods) {
    const message = `Deleted pod: ${pod.metadata.name}`;
    if (await removeObject(client, Pod, pod))
      await event(owner, { type: 'Normal', reason: 'SuccessfulDelete', message });
  }
}
