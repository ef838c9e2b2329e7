// SPDX-License-Identifier: Apache-2.0
import { apiServer, type ApiServer } from '@forge/apiserver/api-server.ts';
import { inProcessTransport } from '@forge/apiserver/in-process-transport.ts';
import { client, type Client } from '@forge/kube/client/client.ts';
import { seededRandom } from '@forge/runtime/testing/seeded-random.ts';
import { minutes, type Duration } from '@forge/runtime/time/duration.ts';
import { faultInjector } from '../faults/fault-injector.ts';
import type { FaultPlan } from '../faults/fault-plan.ts';
import { faultyTransport } from '../process/faulty-transport.ts';
import { processRun } from '../process/process-run.ts';
import type { SimulationContext } from '../process/simulation-context.ts';
import { scheduler } from '../scheduler/scheduler.ts';
import { trace, type Trace } from './trace.ts';

/** A server and time of its own, in which one run takes place. */
export interface SimulatedCluster {
  readonly context: SimulationContext & { readonly server: ApiServer };
  /** Somebody to whom nothing bad happens. */
  readonly user: Client;
  readonly trace: Trace;
  /** Lets one thing happen, in its time but not after this one; false when there is none. */
  step: (end: number) => Promise<boolean>;
  /** Lets things happen until the promise settles. */
  during: <T>(promise: Promise<T>) => Promise<T>;
  /** Lets things happen for so long. */
  advance: (span: Duration) => Promise<void>;
  /** Lets things happen until nothing has stirred for so long; false when that never comes. */
  settle: (settleTime: Duration) => Promise<boolean>;
}

/** Something that must not happen has happened. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

/** Every world begins on the first day of 2026. */
const beginning = Date.UTC(2026, 0, 1);
const timeout = minutes(600);
/** As much as may happen while things settle: two who undo each other's work do not even need time for that. */
const maxSteps = 100_000;

/** A world that begins with a copy of what this server has. */
export async function simulatedCluster(plan: FaultPlan, forkOf: Pick<ApiServer, 'store'>): Promise<SimulatedCluster> {
  const traced = trace();
  const schedule = scheduler(beginning, seededRandom(plan.seed), traced.note);
  const clock = schedule.clockOf({ name: 'world', stopped: false });
  const server = await apiServer({ clock, random: seededRandom(plan.seed + 1), forkOf });
  let lastActivity = beginning;
  let violation: Violation | undefined;

  function markActivity(at = schedule.now()): void {
    lastActivity = Math.max(lastActivity, at);
  }

  const context: SimulatedCluster['context'] = {
    seed: plan.seed,
    scheduler: schedule,
    clock,
    server,
    faults: faultInjector(plan.faults, markActivity),
    note: traced.note,
    markActivity: markActivity,
    fail: (message) => void (violation ??= new Violation(message)),
  };

  async function step(end: number): Promise<boolean> {
    const happened = await schedule.step(end);
    if (violation !== undefined) throw violation;
    return happened;
  }

  return {
    context,
    user: client(inProcessTransport({ handle: faultyTransport(processRun('user', 'user', context), context) })),
    trace: traced,
    step,

    async during(promise) {
      const awaited = new Set([promise]);
      void promise.catch(() => undefined).finally(() => awaited.delete(promise));
      const end = schedule.now() + timeout;
      while (awaited.size > 0) {
        // Time passes only for who still waits when all has happened that can happen now.
        if ((await step(schedule.now())) || awaited.size === 0) continue;
        if (!(await step(end)) && awaited.size > 0) throw new Violation('waits for something that never happens');
      }
      return await promise;
    },

    async advance(span) {
      const end = schedule.now() + span;
      while (await step(end));
    },

    async settle(settleTime) {
      context.markActivity();
      const end = schedule.now() + timeout;
      for (let happened = 0; await step(lastActivity + settleTime); happened += 1) {
        if (happened === maxSteps || schedule.now() > end) return false;
      }
      return true;
    },
  };
}
