// SPDX-License-Identifier: Apache-2.0
import { seconds, type Duration } from '@forge/runtime/time/duration.ts';
import type { Delay } from '../faults/fault-plan.ts';
import type { SimulatedProcess } from '../process/simulated-process.ts';
import type { ScenarioRun } from '../scenario/scenario.ts';
import { Violation, type SimulatedCluster } from './simulated-cluster.ts';

// Longer than a watch and a failed reconciliation wait before they are tried again, and than it takes to find a new leader.
const defaultSettleTime = seconds(40);

/** Starts the processes and does what users do, who wait in between until nothing more happens. */
export async function runSteps(
  world: SimulatedCluster,
  { steps }: ScenarioRun,
  processes: readonly SimulatedProcess[],
  settleTime?: Duration,
): Promise<void> {
  for (const process of processes) process.start();
  for (const [index, step] of steps.entries()) {
    await settle(world, processes, ['lag'], settleTime);
    const done = step(world.user).catch((error: unknown) => {
      throw new Violation(`step ${index + 1} of the users failed: ${String(error)}`);
    });
    await world.during(done);
  }
  await settle(world, processes, ['lag', 'hold'], settleTime);
}

/** Lets things happen until nothing stirs any more, not even when the events come that were delayed so. */
export async function settle(
  world: SimulatedCluster,
  processes: readonly SimulatedProcess[],
  delays: readonly Delay[],
  settleTime: Duration = defaultSettleTime,
): Promise<void> {
  let isSettled = await world.settle(settleTime);
  // What follows from events that come at last may be delayed in turn.
  while (processes.map((process) => process.release(delays)).includes(true)) isSettled = await world.settle(settleTime);
  // Somebody may act again and again on what it does not know until the end.
  if (!isSettled && !processes.some(({ hasHeldEvents }) => hasHeldEvents)) throw new Violation('never settles');
}
