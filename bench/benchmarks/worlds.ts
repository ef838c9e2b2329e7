// SPDX-License-Identifier: Apache-2.0
import { Keystone } from '@forge/keystone/keystone.ts';
import { Namespace } from '@forge/kube/kinds/builtin.ts';
import { threadTime } from '@forge/runtime/testing/longest-block.ts';
import { seconds } from '@forge/runtime/time/duration.ts';
import { operatorProcess } from '@forge/simulation/scenario/operator-process.ts';
import { environment, standInKinds, standInNames } from '@forge/simulation/world/environment.ts';
import { settledCluster } from '@forge/simulation/world/settled-cluster.ts';
import { world } from '@forge/simulation/world/world.ts';
import type { Figure } from '../harness/figure.ts';
import { timed } from '../harness/measure.ts';
import { createKeystone, isReady } from '../programs/create-keystone.ts';
import { healthyKeystones } from '../programs/healthy-keystones.ts';

const rounds = 5;
const worldsARound = 20;
const keystone = { namespace: 'openstack', name: 'identity' };

const around = () => environment({ standIns: standInNames });

/** Whole clusters with all stand-ins, and a Keystone in each of them from its creation to Ready. */
export async function worlds(): Promise<Figure[]> {
  const setUp = { metadata: { name: keystone.namespace }, apiVersion: 'v1', kind: 'Namespace' } as const;
  const from = await settledCluster(
    { kinds: [...standInKinds, Keystone], setUp: (user) => user.create(Namespace, setUp) },
    around(),
  );
  const started: number[] = [];
  const runsAMinute: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    let start = 0;
    let total = 0;
    for (let seed = 1; seed <= worldsARound; seed += 1) {
      const processes = [operatorProcess('keystone', healthyKeystones)];
      total += await timed(threadTime, async () => {
        const began = threadTime();
        await using here = await world({ seed, from, environment: around(), processes });
        await here.settle(seconds(1));
        start += threadTime() - began;
        await here.during(createKeystone(here.user, keystone));
        await here.until((state) => isReady(state.find(Keystone, keystone)));
      });
    }
    // The first round warms up.
    if (round === 0) continue;
    started.push(start / worldsARound);
    runsAMinute.push((worldsARound / total) * 60_000);
  }
  return [
    { what: 'a world, until all of its processes watch', samples: started, unit: 'ms', goal: { atMost: 50 } },
    { what: 'simulated creations of a Keystone, to Ready', samples: runsAMinute, unit: '/min', goal: { atLeast: 200 } },
  ];
}
