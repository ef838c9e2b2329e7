// SPDX-License-Identifier: Apache-2.0
import { standInNames } from '@forge/cluster/stand-ins/register/stand-ins.ts';
import { Keystone } from '@forge/keystone/api/keystone.ts';
import { Namespace } from '@forge/kube/kinds/builtin.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { operatorProcess } from '@forge/simulation/scenario/operator-process.ts';
import { environment, standInKinds } from '@forge/simulation/world/environment.ts';
import { settledCluster } from '@forge/simulation/world/settled-cluster.ts';
import { world } from '@forge/simulation/world/world.ts';
import { threadTime } from '@forge/testing/longest-block.ts';
import { createKeystone, isReady } from '../harness/create-keystone.ts';
import type { Figure } from '../harness/figure.ts';
import { timed } from '../harness/measure.ts';
import { healthyKeystones } from '../programs/healthy-keystones.ts';

const rounds = 5;
const worldsARound = 20;
const keystone = { namespace: 'openstack', name: 'identity' };

const around = () => environment({ standIns: standInNames });

/** Simulated clusters with all stand-ins, and a Keystone in each from its creation to Ready. */
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
