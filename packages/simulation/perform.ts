// SPDX-License-Identifier: Apache-2.0
import { seconds, type Duration } from '@forge/runtime/duration.ts';
import type { Play } from './scenario.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import { Violation, type World } from './world.ts';

// Longer than a watch waits before it tries again, and than it takes to find a new leader.
const defaultQuiet = seconds(40);

/** Starts the processes and does what users do, who wait in between until nothing more happens. */
export async function perform(
  world: World,
  { steps }: Play,
  processes: readonly SimulatedProcess[],
  quiet?: Duration,
): Promise<void> {
  for (const process of processes) process.start();
  await settle(world, processes, quiet);
  for (const [index, step] of steps.entries()) {
    const done = step(world.user).catch((error: unknown) => {
      throw new Violation(`step ${index + 1} of the users failed: ${String(error)}`);
    });
    await world.during(done);
    await settle(world, processes, quiet);
  }
}

/** Lets things happen until nothing stirs any more, not even when held events come. */
export async function settle(
  world: World,
  processes: readonly SimulatedProcess[],
  quiet: Duration = defaultQuiet,
): Promise<void> {
  const isSettled = await world.settle(quiet);
  const released = processes.map((process) => process.release());
  // Somebody may act again and again on what it does not know until then.
  const isSettledNow = released.includes(true) ? await world.settle(quiet) : isSettled;
  if (!isSettledNow) throw new Violation('never settles');
}
