// SPDX-License-Identifier: Apache-2.0
import { inProcessTransport } from '@forge/apiserver/wire/in-process-transport.ts';
import { client } from '@forge/kube/client/client.ts';
import type { Clock } from '@forge/runtime/environment/clock.ts';
import { seededRandom } from '@forge/runtime/environment/seeded-random.ts';
import { logger, type LogEntry } from '@forge/runtime/observability/logger.ts';
import type { Delay } from '../faults/fault-plan.ts';
import type { ProcessContext, Process } from '../scenario/scenario.ts';
import { faultyTransport } from './faulty-transport.ts';
import { outsideCall } from './outside-call.ts';
import { processRun, type ProcessRun } from './process-run.ts';
import type { SimulationContext } from './simulation-context.ts';

/** A process that is restarted after each crash. */
export interface SimulatedProcess {
  /** The number of open watches. */
  readonly watches: number;
  start(): void;
  /** Crashes the current run; the next one starts a moment later. */
  crash(): void;
  /** Whether events are held back until the end of the scenario. */
  readonly hasHeldEvents: boolean;
  /** Delivers the events delayed in these ways; false when there are none. */
  release(delays?: readonly Delay[]): boolean;
  /** Stops it permanently. */
  end(): void;
}

/** A process that has not started yet. */
export function simulatedProcess(process: Process, context: SimulationContext): SimulatedProcess {
  let current: ProcessRun | undefined;
  let runs = 0;

  function start(): void {
    runs += 1;
    const run = processRun(process.name, `${process.name}#${runs}`, context);
    current = run;
    run.ended.addEventListener('abort', () => {
      // A stopped process is not restarted.
      if (current !== run) return;
      context.markActivity(context.clock.now() + run.restartDelay);
      context.clock.after(run.restartDelay, start);
    });
    context.markActivity();
    void startProcess(run);
  }

  async function startProcess(run: ProcessRun): Promise<void> {
    try {
      await process.start(contextFor(run, runs, process.user, context));
    } catch (error) {
      if (!run.ended.aborted) context.fail(`${run.name} cannot start: ${String(error)}`);
    }
  }

  return {
    get watches() {
      return current?.watches ?? 0;
    },
    start,
    crash: () => current?.end(),
    get hasHeldEvents() {
      return (current?.held.hold.size ?? 0) > 0;
    },
    release(delays = ['lag', 'hold']) {
      const held = delays.flatMap((delay) => current?.held[delay] ?? []).filter(({ size }) => size > 0);
      for (const each of held) each.clear();
      return held.length > 0;
    },
    end() {
      const last = current;
      current = undefined;
      last?.end();
    },
  };
}

/** The context of one run of a process. */
function contextFor(run: ProcessRun, runs: number, user: Process['user'], context: SimulationContext): ProcessContext {
  const { scheduler, seed, note } = context;
  const cluster = scheduler.clockOf(run);
  const clock: Clock = {
    ...cluster,
    now() {
      context.effects.readClock ||= run.skew !== 0;
      return cluster.now() + run.skew;
    },
  };

  return {
    name: run.name,
    client: client(inProcessTransport({ handle: faultyTransport(run, context) }, user)),
    clock,
    lastingClock: context.clock,
    random: seededRandom(seedOf(`${seed} ${run.process} ${runs}`)),
    log: logger({ clock, level: 'warn', write: (entry) => note(`${run.name} logs ${textOf(entry)}`) }),
    external: (promise) => scheduler.external(promise),
    exit: () => run.end(),

    outside: (system, call, options = {}) => outsideCall(run, context, { system, call, ...options }),
  };
}

function textOf({ message, fields }: LogEntry): string {
  const { error } = fields;
  return error instanceof Error ? `${message}: ${error.message}` : message;
}

/** A deterministic seed for a text. */
function seedOf(text: string): number {
  return Array.from(text).reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 0x01000193), 0x811c9dc5);
}
