// SPDX-License-Identifier: Apache-2.0
import { sleep } from '@forge/runtime/environment/clock.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import type { ClusterState } from './cluster-state.ts';
import type { StepControl } from './scenario.ts';

const mostSeconds = 1200;
/** Delayed events are delivered when the condition does not hold for this many seconds. */
const releaseAfter = 120;

/**
 * Waits until the condition holds, for at most 20 minutes. For steps that need the effect of an earlier one: events held
 * back, from whichever process, would otherwise arrive after all steps.
 */
export async function waitUntil(
  { state, clock, processes }: Pick<StepControl, 'state' | 'clock' | 'processes'>,
  holds: (state: ClusterState) => boolean,
): Promise<void> {
  for (let tries = 0; tries < mostSeconds && !holds(state); tries += 1) {
    await sleep(clock, seconds(1));
    if (tries >= releaseAfter) for (const process of processes) process.release();
  }
}
