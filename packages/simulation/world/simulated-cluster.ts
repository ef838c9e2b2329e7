// SPDX-License-Identifier: Apache-2.0
import { apiServer, type ApiServer } from '@forge/apiserver/api-server.ts';
import { inProcessTransport } from '@forge/apiserver/wire/in-process-transport.ts';
import { client, type Client } from '@forge/kube/client/client.ts';
import { minutes, type Duration } from '@forge/runtime/environment/duration.ts';
import { seededRandom } from '@forge/runtime/environment/seeded-random.ts';
import { faultInjector } from '../faults/fault-injector.ts';
import type { FaultPlan } from '../faults/fault-plan.ts';
import { noEffects } from '../faults/variants.ts';
import { faultyTransport } from '../process/faulty-transport.ts';
import { processRun } from '../process/process-run.ts';
import { scheduler } from '../process/scheduler.ts';
import type { SimulationContext } from '../process/simulation-context.ts';
import type { PreparedCluster } from '../scenario/scenario.ts';
import { trace, type Trace } from './trace.ts';

/** The API server, clock and user of one run. */
export interface SimulatedCluster {
  readonly context: SimulationContext & { readonly server: ApiServer };
  /** A client without faults. */
  readonly user: Client;
  readonly trace: Trace;
  /** Runs one step, no later than `end`; false when there is none. */
  step: (end: number) => Promise<boolean>;
  /** Advances until the promise settles. */
  during: <T>(promise: Promise<T>) => Promise<T>;
  /** Advances by this much time. */
  advance: (span: Duration) => Promise<void>;
  /** Advances until there was no activity for this long; false when that never happens. */
  settle: (settleTime: Duration) => Promise<boolean>;
}

/** A violation of what a run must guarantee. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

const firstDay = Date.UTC(2026, 0, 1);
const timeout = minutes(600);
/**
 * The maximum number of steps while settling: two processes that undo each other's work may loop without advancing
 * time.
 */
const maxSteps = 100_000;

/** A simulated cluster that starts as a fork of this one. */
export async function simulatedCluster(plan: FaultPlan, forkOf: PreparedCluster): Promise<SimulatedCluster> {
  const beginning = forkOf.leftAt ?? firstDay;
  const traced = trace();
  const schedule = scheduler(beginning, seededRandom(plan.seed), traced.note);
  const clock = schedule.clockOf({ name: 'cluster', stopped: false, together: true });
  // Different uids than those of existing objects.
  const random = seededRandom(plan.seed + 1 + 1_000_003 * forkOf.store.current.revision);
  const server = await apiServer({ clock, random, forkOf });
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
    writer: '',
    afterCall: () => {},
    act: () => Promise.resolve(),
    idleWrites: [],
    effects: noEffects(),
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
        // Time advances only when nothing else can happen now.
        if ((await step(schedule.now())) || awaited.size === 0) continue;
        if (!(await step(end)) && awaited.size > 0) throw new Violation('the awaited operation never completes');
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
