// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { ObjectRef } from '@forge/kube/objects/object.ts';

/** Sets the status of an object as its operator would: whether it is ready with its current spec. */
export async function setReady(
  client: Client,
  kind: Kind,
  ref: ObjectRef,
  status: 'True' | 'False' = 'True',
): Promise<void> {
  const { generation } = (await client.get(kind, ref)).metadata;
  const text = { reason: 'Set', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' };
  const ready = { type: 'Ready', status, ...text, observedGeneration: generation };
  const change = { status: { conditions: [ready], observedGeneration: generation } };
  await client.patch(kind, ref, 'merge', change, { subresource: 'status' });
}
