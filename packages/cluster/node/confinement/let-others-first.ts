// SPDX-License-Identifier: Apache-2.0
import { availableParallelism } from 'node:os';
import { sleep, type Clock } from '@forge/runtime/environment/clock.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';

/** A container whose processor time is measured. */
export interface MeasuredContainer {
  /** Milliseconds of processor time so far. */
  processorTime(): Promise<number>;
  /** Gives it only the processor time that others leave, or its usual weight again. */
  setBackground(isBackground: boolean): Promise<void>;
}

const interval = seconds(5);
/** Shares of all processors: above `most` for some intervals a container goes to the background, below `least` for more it comes back. */
const most = 0.25;
const busyIntervals = 2;
const least = 0.05;
const calmIntervals = 12;

/**
 * Moves a container to the background while it computes without end. Weights do not suffice: two containers without
 * requests share the processors equally, however long one of them has used them, so that the other starts half as fast.
 */
export async function letOthersFirst(
  container: MeasuredContainer,
  { clock, signal, processors = availableParallelism() }: { clock: Clock; signal: AbortSignal; processors?: number },
): Promise<void> {
  let isBackground = false;
  let [busy, calm] = [0, 0];
  for (let before = await container.processorTime(); ;) {
    await sleep(clock, interval, signal);
    const used = await container.processorTime();
    const share = (used - before) / (interval * processors);
    before = used;
    busy = share > most ? busy + 1 : 0;
    calm = share < least ? calm + 1 : 0;
    const next: boolean = isBackground ? calm < calmIntervals : busy >= busyIntervals;
    if (next !== isBackground) await container.setBackground(next);
    isBackground = next;
  }
}
