// SPDX-License-Identifier: Apache-2.0
import { seconds } from '@forge/runtime/environment/duration.ts';
import { costOfMany } from '../harness/cost-of-many.ts';
import { costToReady } from '../harness/cost-to-ready.ts';
import type { Figure } from '../harness/figure.ts';
import { instantControllers } from '../harness/instant-controllers.ts';
import { settledOperator, type Settled } from '../harness/settled-operator.ts';
import { answeringControlPlanes } from '../programs/answering-control-planes.ts';
import { controlPlaneNeighbours } from '../programs/control-plane-neighbours.ts';
import { createControlPlane, prepareControlPlanes } from '../programs/create-control-plane.ts';

const created = 50;
const [few, many] = [10, 500];

/**
 * CPU time of the controlplane operator: for a new ControlPlane with its Keystone, and for a reconcile without a
 * change.
 */
export async function controlPlaneCost(): Promise<Figure[]> {
  const program = new URL('../programs/serve-new-control-planes.ts', import.meta.url);
  const samples = await costToReady({ operator: 'c5c3-operator', program, created, rounds: 5 });
  return [
    { what: 'CPU time of an operator per ControlPlane to Ready', samples, unit: 's', goal: { atMost: 0.15 } },
    await costOfMany({ resources: 'ControlPlanes', few, many, rounds: 5, settled: settledControlPlanes }),
  ];
}

/** The operator with this many ready ControlPlanes. */
async function settledControlPlanes(count: number): Promise<Settled> {
  const refs = Array.from({ length: count }, (_, each) => ({ namespace: `cloud-${each}`, name: 'cloud' }));
  return await settledOperator({
    async create(user) {
      await prepareControlPlanes(user);
      for (const ref of refs) await createControlPlane(user, ref);
    },
    controllers: answeringControlPlanes(),
    cluster(clock) {
      const { controllers, add } = controlPlaneNeighbours(clock, { keystones: 'emulated' });
      for (const ref of refs) add(ref);
      return [...controllers, ...instantControllers()];
    },
    settleTime: seconds(20),
  });
}
