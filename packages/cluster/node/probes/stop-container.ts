// SPDX-License-Identifier: Apache-2.0
import type { Container } from '@forge/kube/generated/types.ts';
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import { sleep, type Clock } from '@forge/runtime/environment/clock.ts';
import type { RunningContainer } from '../containers/container-runtime.ts';
import { runHook } from './run-hook.ts';

/** The minimum time after SIGTERM, even when the preStop hook has used up the grace period. */
const minimumGrace = 2000;

/** How a container is stopped. */
export interface StopOptions {
  pod: Pod;
  address: string;
  /** In milliseconds. */
  grace: number;
  clock: Clock;
  /** Resolves when the containers that must stop first have stopped. Default: none. */
  after?: Promise<unknown>;
}

/**
 * Stops a container: preStop hook, waiting for `after`, SIGTERM, and SIGKILL after `grace` milliseconds; without grace,
 * SIGKILL at once.
 */
export async function stopContainer(
  container: Container,
  running: RunningContainer,
  { pod, address, grace, clock, after = Promise.resolve() }: StopOptions,
): Promise<void> {
  const deadline = clock.now() + grace;
  const { preStop } = container.lifecycle ?? {};
  if (grace > 0) {
    // The container is stopped whatever the hook returns.
    if (preStop)
      await Promise.race([running.ended, runHook(preStop, { pod, address, container, running, clock }, grace)]);
    await within(Promise.race([running.ended, after]), deadline - clock.now(), clock);
    running.signal('SIGTERM');
    await within(running.ended, Math.max(minimumGrace, deadline - clock.now()), clock);
  }
  running.signal('SIGKILL');
  await running.ended;
}

/** Resolves with the promise, or after the time. */
async function within(promise: Promise<unknown>, time: number, clock: Clock): Promise<void> {
  const abort = new AbortController();
  await Promise.race([promise, sleep(clock, Math.max(0, time), abort.signal).catch(() => undefined)]);
  abort.abort();
}
