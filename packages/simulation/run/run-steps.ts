// SPDX-License-Identifier: Apache-2.0
import type { Duration } from '@forge/runtime/environment/duration.ts';
import type { ProcessOperations } from '../faults/draw-plan.ts';
import type { Fault } from '../faults/fault-plan.ts';
import type { ScenarioRun } from '../scenario/scenario.ts';
import { Violation } from '../world/simulated-cluster.ts';
import type { World } from '../world/world.ts';
import { waitForExpiredJobs } from './expired-jobs.ts';
import { handsIn } from './hands.ts';

/**
 * Runs the user steps, letting the cluster settle before each, and at the end until finished Jobs have expired; returns
 * the operations before the first.
 */
export async function runSteps(
  world: World,
  { steps }: ScenarioRun,
  { settleTime, faults = [] }: { settleTime?: Duration | undefined; faults?: readonly Fault[] } = {},
): Promise<ProcessOperations> {
  let before: ProcessOperations = new Map();
  for (const [index, step] of steps.entries()) {
    // The cluster starts settled: the processes need time for their first requests only, and what delays these.
    await world.settle(index === 0 ? undefined : settleTime, ['lag']);
    if (index === 0) {
      before = structuredClone(world.context.faults.counts);
      const atRest = handsIn(faults).filter(({ at }) => at === 0);
      for (const hand of atRest) await world.context.act(hand);
      if (atRest.length > 0) await world.settle(settleTime, ['lag']);
    }
    const done = step(world.user, world).catch((error: unknown) => {
      throw new Violation(`user step ${index + 1} failed: ${String(error)}`);
    });
    await world.during(done);
  }
  await world.settle(settleTime);
  await waitForExpiredJobs(world, settleTime);
  return before;
}
