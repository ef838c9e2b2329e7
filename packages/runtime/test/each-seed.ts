// SPDX-License-Identifier: Apache-2.0
import { apiServer, type ApiServer } from '@forge/apiserver/api-server.ts';
import { seededRandom } from '../environment/seeded-random.ts';
import { virtualClock } from '../environment/virtual-clock.ts';

/** Runs a test for one seed after the other, each on a new server; reports the seed that fails. */
export async function eachSeed(
  first: number,
  seeds: number,
  run: (seed: number, server: ApiServer) => Promise<void>,
): Promise<void> {
  const server = await apiServer({ clock: virtualClock(), random: seededRandom() });
  for (let seed = first; seed < first + seeds; seed += 1) {
    try {
      await run(seed, server);
    } catch (cause) {
      throw new Error(`seed ${seed} fails`, { cause });
    }
  }
  await server.close();
}
