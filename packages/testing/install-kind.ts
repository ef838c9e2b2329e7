// SPDX-License-Identifier: Apache-2.0
import { CustomResourceDefinition } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { refOf } from '@forge/kube/objects/object.ts';
import type { TestCluster } from './test-cluster.ts';

/** Makes the cluster serve a kind. */
export async function installKind({ client, clock }: Pick<TestCluster, 'client' | 'clock'>, kind: Kind): Promise<void> {
  const crd = await client.create(CustomResourceDefinition, crdOf(kind));
  await clock.until(async () => {
    const { status } = await client.get(CustomResourceDefinition, refOf(crd));
    return status?.conditions?.some(({ type, status: is }) => type === 'Established' && is === 'True');
  });
}
