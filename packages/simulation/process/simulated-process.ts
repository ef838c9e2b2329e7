// SPDX-License-Identifier: Apache-2.0
import { inProcessTransport } from '@forge/apiserver/in-process-transport.ts';
import { client } from '@forge/kube/client/client.ts';
import { logger, type LogEntry } from '@forge/runtime/logging/logger.ts';
import { seededRandom } from '@forge/runtime/testing/seeded-random.ts';
import { seconds } from '@forge/runtime/time/duration.ts';
import type { Delay } from '../faults/fault-plan.ts';
import type { ProcessContext, Process } from '../scenario/scenario.ts';
import { faultyTransport } from './faulty-transport.ts';
import { processRun, never, type ProcessRun } from './process-run.ts';
import type { SimulationContext } from './simulation-context.ts';

/** A process of a run: one life after the other. */
export interface SimulatedProcess {
  /** How many watches it has open. */
  readonly watches: number;
  start(): void;
  /** Ends this life without a farewell; the next one begins a moment later. */
  crash(): void;
  /** Whether events are held back from it to the end. */
  readonly hasHeldEvents: boolean;
  /** Lets the events through that were delayed so, or however; false when there are none. */
  release(delays?: readonly Delay[]): boolean;
  /** Ends it for good. */
  end(): void;
}

const restartDelay = seconds(1);

/** A process that has not started yet. */
export function simulatedProcess(process: Process, context: SimulationContext): SimulatedProcess {
  let current: ProcessRun | undefined;
  let runs = 0;

  function start(): void {
    runs += 1;
    const run = processRun(process.name, `${process.name}#${runs}`, context);
    current = run;
    run.ended.addEventListener('abort', () => {
      // The last life has no successor.
      if (current !== run) return;
      context.markActivity();
      context.clock.after(restartDelay, start);
    });
    context.markActivity();
    void startProcess(run);
  }

  async function startProcess(run: ProcessRun): Promise<void> {
    try {
      await process.start(contextFor(run, runs, context));
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

/** What this life has of the world. */
function contextFor(run: ProcessRun, lives: number, context: SimulationContext): ProcessContext {
  const { scheduler, faults, seed, note, markActivity } = context;
  const clock = scheduler.clockOf(run);

  return {
    name: run.name,
    client: client(inProcessTransport({ handle: faultyTransport(run, context) })),
    clock,
    random: seededRandom(seedOf(`${seed} ${run.process} ${lives}`)),
    log: logger({ clock, level: 'warn', write: (entry) => note(`${run.name} says ${textOf(entry)}`) }),
    external: (promise) => scheduler.external(promise),
    exit: () => run.end(),

    async outside(system, call) {
      for (const { calls } of faults.count(run.process, 'call')) run.outage = calls;
      await run.turn(`calls ${system}`);
      const isDown = run.outage > 0;
      run.outage -= isDown ? 1 : 0;
      if (isDown) {
        markActivity();
        throw new Error(`${system} is down`);
      }
      const answer = await call();
      await run.turn(`hears from ${system}`);
      return run.ended.aborted ? await never() : answer;
    },
  };
}

function textOf({ message, fields }: LogEntry): string {
  const { error } = fields;
  return error instanceof Error ? `${message}: ${error.message}` : message;
}

/** A number for a text, the same every time. */
function seedOf(text: string): number {
  return Array.from(text).reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 0x01000193), 0x811c9dc5);
}
