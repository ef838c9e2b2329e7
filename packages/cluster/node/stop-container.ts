// SPDX-License-Identifier: Apache-2.0
import type { Container, LifecycleHandler } from '@forge/kube/generated/types.ts';
import { sleep, type Clock } from '@forge/runtime/clock.ts';
import { checkProbe } from './check-probe.ts';
import type { RunningContainer } from './container-runtime.ts';

/** Even when the preStop hook has used up the grace period, the process may hear that it has to end. */
const leastTime = 2000;

/** Ends a container: preStop hook, SIGTERM, and SIGKILL when `grace` milliseconds are over; without grace at once. */
export async function stopContainer(
  container: Container,
  running: RunningContainer,
  { address, grace, clock }: { address: string; grace: number; clock: Clock },
): Promise<void> {
  const deadline = clock.now() + grace;
  const { preStop } = container.lifecycle ?? {};
  if (grace > 0) {
    if (preStop) await endedOr(running, runHook(preStop, container, running, { address, grace, clock }));
    running.signal('SIGTERM');
    await endedWithin(running, Math.max(leastTime, deadline - clock.now()), clock);
  }
  running.signal('SIGKILL');
  await running.ended;
}

async function runHook(
  hook: LifecycleHandler,
  container: Container,
  running: RunningContainer,
  { address, grace, clock }: { address: string; grace: number; clock: Clock },
): Promise<void> {
  if (hook.sleep) return sleep(clock, Math.min(grace, hook.sleep.seconds * 1000));
  const { exec, httpGet } = hook;
  // A hook is asked like a probe, once; the container is stopped whatever it answers.
  await checkProbe(
    { ...(exec && { exec }), ...(httpGet && { httpGet }), timeoutSeconds: grace / 1000 },
    { address, container, running },
  );
}

async function endedWithin(running: RunningContainer, time: number, clock: Clock): Promise<void> {
  const abort = new AbortController();
  await endedOr(
    running,
    sleep(clock, time, abort.signal).catch(() => undefined),
  );
  abort.abort();
}

async function endedOr(running: RunningContainer, other: Promise<void>): Promise<void> {
  await Promise.race([running.ended, other]);
}
