// SPDX-License-Identifier: Apache-2.0
import { seconds, type Duration } from '@forge/runtime/time/duration.ts';
import type { Delay } from '../faults/plan.ts';
import type { SimulatedProcess } from '../process/simulated-process.ts';
import type { Play } from '../scenario/scenario.ts';
import { Violation, type World } from './world.ts';

// Longer than a watch and a failed reconciliation wait before they are tried again, and than it takes to find a new leader.
const defaultQuiet = seconds(40);

/** Starts the processes and does what users do, who wait in between until nothing more happens. */
export async function perform(
  world: World,
  { steps }: Play,
  processes: readonly SimulatedProcess[],
  quiet?: Duration,
): Promise<void> {
  for (const process of processes) process.start();
  for (const [index, step] of steps.entries()) {
    await settle(world, processes, ['lag'], quiet);
    const done = step(world.user).catch((error: unknown) => {
      throw new Violation(`step ${index + 1} of the users failed: ${String(error)}`);
    });
    await world.during(done);
  }
  await settle(world, processes, ['lag', 'hold'], quiet);
}

/** Lets things happen until nothing stirs any more, not even when the events come that were delayed so. */
export async function settle(
  world: World,
  processes: readonly SimulatedProcess[],
  delays: readonly Delay[],
  quiet: Duration = defaultQuiet,
): Promise<void> {
  let isSettled = await world.settle(quiet);
  // What follows from events that come at last may be delayed in turn.
  while (processes.map((process) => process.release(delays)).includes(true)) isSettled = await world.settle(quiet);
  // Somebody may act again and again on what it does not know until the end.
  if (!isSettled && !processes.some(({ waits }) => waits)) throw new Violation('never settles');
}
