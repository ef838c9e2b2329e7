import { PersistentVolumeClaim, Pod, Secret, StatefulSet } from '@forge/kube/kinds/builtin.ts';
// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { eventually } from '@forge/testing/programs/eventually.ts';
import { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import type { LiveOpenBao } from './live-openbao.ts';

const kinds: readonly Kind[] = [OpenBaoCluster, StatefulSet, Pod, PersistentVolumeClaim, Secret];

/** Waits until a cluster is deleted, and exactly these objects are left of it. */
export async function untilRemains(
  { cluster: { client }, ref }: LiveOpenBao,
  expected: readonly string[],
): Promise<void> {
  const remains = async () => {
    const lists = await Promise.all(kinds.map((kind) => client.list(kind, { namespace: ref.namespace })));
    return lists.flatMap(({ items }) => items.map(({ metadata }) => metadata.name)).toSorted();
  };
  await eventually(
    `of ${ref.name} remains ${expected.join()}`,
    async () => (await remains()).join() === expected.toSorted().join(),
    { minutes: 3, observed: remains },
  );
}
