// SPDX-License-Identifier: Apache-2.0
import { sleep } from '@forge/runtime/time/clock.ts';
import { seconds } from '@forge/runtime/time/duration.ts';
import type { ClusterState } from './cluster-state.ts';
import type { StepControl } from './scenario.ts';

const mostSeconds = 1200;
/** Delayed events are delivered when this many seconds pass without the moment. */
const patience = 120;

/**
 * Waits until this holds, for at most 20 minutes. A step that needs the effect of an earlier one waits so: events that are held
 * back from the process `name` would otherwise arrive after all steps.
 */
export async function waitUntil(
  { state, clock, process }: Pick<StepControl, 'state' | 'clock' | 'process'>,
  name: string,
  holds: (state: ClusterState) => boolean,
): Promise<void> {
  for (let tries = 0; tries < mostSeconds && !holds(state); tries += 1) {
    await sleep(clock, seconds(1));
    if (tries >= patience) process(name).release();
  }
}
