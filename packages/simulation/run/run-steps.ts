// SPDX-License-Identifier: Apache-2.0
import { seconds, type Duration } from '@forge/runtime/time/duration.ts';
import type { Delay } from '../faults/fault-plan.ts';
import type { SimulatedProcess } from '../process/simulated-process.ts';
import type { ScenarioRun } from '../scenario/scenario.ts';
import { Violation, type SimulatedCluster } from './simulated-cluster.ts';

// Longer than the retry delays of watches and reconciles, and than a leader election.
const defaultSettleTime = seconds(40);

/** Starts the processes and runs the user steps, letting the cluster settle before each. */
export async function runSteps(
  cluster: SimulatedCluster,
  { steps }: ScenarioRun,
  processes: readonly SimulatedProcess[],
  settleTime?: Duration,
): Promise<void> {
  for (const process of processes) process.start();
  for (const [index, step] of steps.entries()) {
    await settle(cluster, processes, ['lag'], settleTime);
    const done = step(cluster.user).catch((error: unknown) => {
      throw new Violation(`user step ${index + 1} failed: ${String(error)}`);
    });
    await cluster.during(done);
  }
  await settle(cluster, processes, ['lag', 'hold'], settleTime);
}

/** Runs until there is no more activity, including after these delayed events. */
export async function settle(
  cluster: SimulatedCluster,
  processes: readonly SimulatedProcess[],
  delays: readonly Delay[],
  settleTime: Duration = defaultSettleTime,
): Promise<void> {
  let isSettled = await cluster.settle(settleTime);
  // Effects of late events may be delayed as well.
  while (processes.map((process) => process.release(delays)).includes(true))
    isSettled = await cluster.settle(settleTime);
  // A process may keep acting on outdated state while events are held back.
  if (!isSettled && !processes.some(({ hasHeldEvents }) => hasHeldEvents)) throw new Violation('never settles');
}
