// SPDX-License-Identifier: Apache-2.0
import { sleep } from '@forge/runtime/environment/clock.ts';
import { minutes, seconds, type Duration } from '@forge/runtime/environment/duration.ts';
import type { ClusterState } from './cluster-state.ts';
import type { StepControl } from './scenario.ts';

const atMost = minutes(20);
/** Delayed events are delivered when the condition does not hold for this long. */
const releaseAfter = minutes(2);

/**
 * Waits until the condition holds, for at most 20 minutes. For steps that need the effect of an earlier one: events held
 * back, from whichever process, would otherwise arrive after all steps. `every` is how often it is looked at; by default once a second.
 */
export async function waitUntil(
  { state, clock, processes }: Pick<StepControl, 'state' | 'clock' | 'processes'>,
  holds: (state: ClusterState) => boolean,
  every: Duration = seconds(1),
): Promise<void> {
  for (let waited = 0; waited < atMost && !holds(state); waited += every) {
    await sleep(clock, every);
    if (waited >= releaseAfter) for (const process of processes) process.release();
  }
}
