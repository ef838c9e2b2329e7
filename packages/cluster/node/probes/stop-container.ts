// SPDX-License-Identifier: Apache-2.0
import type { Container } from '@forge/kube/generated/types.ts';
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import { sleep, type Clock } from '@forge/runtime/time/clock.ts';
import type { RunningContainer } from '../containers/container-runtime.ts';
import { runHook } from './run-hook.ts';

/** Even when the preStop hook has used up the grace period, the process may hear that it has to end. */
const minimumGrace = 2000;

/** How a container is stopped. */
export interface StopOptions {
  pod: Pod;
  address: string;
  /** In milliseconds. */
  grace: number;
  clock: Clock;
  /** Settles when those have ended whom this container has to outlive. Default: nobody. */
  after?: Promise<unknown>;
}

/**
 * Ends a container: preStop hook, then its turn, then SIGTERM, and SIGKILL when `grace` milliseconds are over; without
 * grace at once.
 */
export async function stopContainer(
  container: Container,
  running: RunningContainer,
  { pod, address, grace, clock, after = Promise.resolve() }: StopOptions,
): Promise<void> {
  const deadline = clock.now() + grace;
  const { preStop } = container.lifecycle ?? {};
  if (grace > 0) {
    // The container is stopped whatever the hook answers.
    if (preStop)
      await Promise.race([running.ended, runHook(preStop, { pod, address, container, running, clock }, grace)]);
    await within(Promise.race([running.ended, after]), deadline - clock.now(), clock);
    running.signal('SIGTERM');
    await within(running.ended, Math.max(minimumGrace, deadline - clock.now()), clock);
  }
  running.signal('SIGKILL');
  await running.ended;
}

/** Settles with the promise, or when the time is over. */
async function within(promise: Promise<unknown>, time: number, clock: Clock): Promise<void> {
  const abort = new AbortController();
  await Promise.race([promise, sleep(clock, Math.max(0, time), abort.signal).catch(() => undefined)]);
  abort.abort();
}
