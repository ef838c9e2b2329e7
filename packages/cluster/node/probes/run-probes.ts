// SPDX-License-Identifier: Apache-2.0
import type { Probe } from '@forge/kube/generated/types.ts';
import { sleep, type Clock } from '@forge/runtime/environment/clock.ts';
import type { ProbeResult } from './check-probe.ts';
import { hasFailed, tally, type ProbeTally } from './probe-tally.ts';

/** The probes of a container. */
export interface Probes {
  startupProbe?: Probe;
  readinessProbe?: Probe;
  livenessProbe?: Probe;
}

/** Receives the results of probes. */
export interface ProbeListener {
  /** The startup probe has succeeded, or there is none. */
  started(): void;
  ready(ready: boolean): void;
  /** A regular probe has failed, for the first time or again. */
  unhealthy(message: string): void;
  /** The container must be restarted. */
  failed(probe: 'startup' | 'liveness'): void;
}

/** The interval of additional probes while a container is not up, so that it need not wait for a long period. */
const startupPeriod = 1000;

/** Runs all probes of a container on their schedules, until the signal aborts. */
export async function runProbes(
  { startupProbe, readinessProbe, livenessProbe }: Probes,
  check: (probe: Probe) => Promise<ProbeResult>,
  listener: ProbeListener,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const startedAt = clock.now();

  /** Probes until `onResult` returns true; returns the verdict at that time. */
  async function probeRepeatedly(
    name: string,
    probe: Probe,
    first: boolean,
    onResult: (tally: ProbeTally) => boolean,
  ): Promise<boolean> {
    const period = (probe.periodSeconds ?? 10) * 1000;
    let state: ProbeTally = { verdict: first, inARow: 0 };
    let nextCounted = startedAt + (probe.initialDelaySeconds ?? 0) * 1000;
    for (;;) {
      await sleep(clock, Math.max(0, Math.min(nextCounted, eagerTime(state)) - clock.now()), signal);
      const counts = clock.now() >= nextCounted;
      const result = await check(probe);
      const { ok } = result;
      signal.throwIfAborted();
      // An additional probe counts only when it succeeds: it must not shorten the time to failure.
      if (!counts && !ok) continue;
      if (counts) nextCounted = Math.max(nextCounted + period, clock.now());
      if (!ok) listener.unhealthy(`${name} probe ${failureOf(result)}`);
      state = tally(state, ok, probe);
      if (onResult(state)) return state.verdict;
    }
  }

  function eagerTime(state: ProbeTally): number {
    return state.latest === false && !state.verdict ? clock.now() + startupPeriod : Infinity;
  }

  try {
    if (startupProbe) {
      const isDecided = (state: ProbeTally) => state.verdict || hasFailed(state, startupProbe);
      if (!(await probeRepeatedly('Startup', startupProbe, false, isDecided))) return listener.failed('startup');
    }
    signal.throwIfAborted();
    listener.started();
    if (!readinessProbe) listener.ready(true);
    await Promise.all([
      readinessProbe &&
        probeRepeatedly('Readiness', readinessProbe, false, (state) => {
          listener.ready(state.verdict);
          return false;
        }),
      livenessProbe &&
        probeRepeatedly('Liveness', livenessProbe, true, (state) => {
          if (!hasFailed(state, livenessProbe)) return false;
          listener.failed('liveness');
          return true;
        }),
    ]);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** The failure in the kubelet's wording for Events. */
function failureOf({ message, errored = false }: ProbeResult): string {
  return errored ? `errored and resulted in unknown state: ${message}` : `failed: ${message}`;
}
