// SPDX-License-Identifier: Apache-2.0
import { seconds } from '@forge/runtime/environment/duration.ts';
import type { PreparedCluster } from '../scenario/scenario.ts';
import type { Environment } from './environment.ts';
import { prepareCluster, type Preparation } from './prepare-cluster.ts';
import { world } from './world.ts';

/**
 * A prepared cluster in which the environment has settled: for example, a MariaDB is Ready and a secret store valid.
 */
export async function settledCluster(preparation: Preparation, environment: Environment): Promise<PreparedCluster> {
  const here = await world({ from: await prepareCluster(preparation), environment });
  await here.settle(seconds(10));
  for (const process of here.processes) process.end();
  return { store: here.context.server.store, leftAt: here.clock.now() };
}
