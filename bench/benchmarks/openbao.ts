// SPDX-License-Identifier: Apache-2.0
import { costOfMany } from '../harness/cost-of-many.ts';
import { costToReady } from '../harness/cost-to-ready.ts';
import type { Figure } from '../harness/figure.ts';
import { settledOperator, type Settled } from '../harness/settled-operator.ts';
import { answeringOpenBao } from '../programs/answering-openbao.ts';
import { createOpenBaoCluster, prepareOpenBaoClusters } from '../programs/create-openbao-cluster.ts';
import { instantServers } from '../programs/instant-servers.ts';

const rounds = 5;
const [few, many] = [10, 500];

/**
 * CPU time of the openbao operator: for a new OpenBaoCluster of three servers, and for a reconcile without a change with few
 * and many of them.
 */
export async function openbao(): Promise<Figure[]> {
  const program = new URL('../programs/serve-new-openbao-clusters.ts', import.meta.url);
  const samples = await costToReady({ operator: 'openbao-operator', program, created: 20, rounds });
  return [
    { what: 'CPU time of an operator per OpenBaoCluster to Available', samples, unit: 's', goal: { atMost: 0.15 } },
    await costOfMany({ resources: 'OpenBaoClusters', few, many, rounds, settled: settledClusters }),
  ];
}

/** The operator with this many available OpenBaoClusters. */
async function settledClusters(count: number): Promise<Settled> {
  return await settledOperator({
    async create(user) {
      await prepareOpenBaoClusters(user);
      for (let each = 0; each < count; each += 1) await createOpenBaoCluster(user, each);
    },
    controllers: answeringOpenBao(),
    cluster: () => [instantServers],
  });
}
