// SPDX-License-Identifier: Apache-2.0
import { inProcessTransport } from '@forge/apiserver/in-process-transport.ts';
import { client } from '@forge/kube/client/client.ts';
import { logger, type LogEntry } from '@forge/runtime/logging/logger.ts';
import { seededRandom } from '@forge/runtime/testing/seeded-random.ts';
import { seconds } from '@forge/runtime/time/duration.ts';
import type { Delay } from '../faults/plan.ts';
import type { Host, Process } from '../scenario/scenario.ts';
import { life, never, type Life } from './life.ts';
import { line } from './line.ts';
import type { Stage } from './stage.ts';

/** A process of a run: one life after the other. */
export interface SimulatedProcess {
  /** How many watches it has open. */
  readonly watches: number;
  start(): void;
  /** Ends this life without a farewell; the next one begins a moment later. */
  crash(): void;
  /** Whether events are held back from it to the end. */
  readonly waits: boolean;
  /** Lets the events through that were delayed so, or however; false when there are none. */
  release(delays?: readonly Delay[]): boolean;
  /** Ends it for good. */
  end(): void;
}

const restartDelay = seconds(1);

/** A process that has not started yet. */
export function simulatedProcess(process: Process, stage: Stage): SimulatedProcess {
  let current: Life | undefined;
  let lives = 0;

  function start(): void {
    lives += 1;
    const born = life(process.name, `${process.name}#${lives}`, stage);
    current = born;
    born.died.addEventListener('abort', () => {
      // The last life has no successor.
      if (current !== born) return;
      stage.stir();
      stage.clock.after(restartDelay, start);
    });
    stage.stir();
    void begin(born);
  }

  async function begin(born: Life): Promise<void> {
    try {
      await process.start(hostFor(born, lives, stage));
    } catch (error) {
      if (!born.died.aborted) stage.fail(`${born.name} cannot start: ${String(error)}`);
    }
  }

  return {
    get watches() {
      return current?.watches ?? 0;
    },
    start,
    crash: () => current?.end(),
    get waits() {
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
function hostFor(born: Life, lives: number, stage: Stage): Host {
  const { scheduler, faults, seed, note, stir } = stage;
  const clock = scheduler.clockOf(born);

  return {
    name: born.name,
    client: client(inProcessTransport({ handle: line(born, stage) })),
    clock,
    random: seededRandom(seedOf(`${seed} ${born.process} ${lives}`)),
    log: logger({ clock, level: 'warn', write: (entry) => note(`${born.name} says ${spoken(entry)}`) }),
    external: (promise) => scheduler.external(promise),
    exit: () => born.end(),

    async outside(system, call) {
      for (const { calls } of faults.meet(born.process, 'call')) born.outage = calls;
      await born.turn(`calls ${system}`);
      const isDown = born.outage > 0;
      born.outage -= isDown ? 1 : 0;
      if (isDown) {
        stir();
        throw new Error(`${system} is down`);
      }
      const answer = await call();
      await born.turn(`hears from ${system}`);
      return born.died.aborted ? await never() : answer;
    },
  };
}

function spoken({ message, fields }: LogEntry): string {
  const { error } = fields;
  return error instanceof Error ? `${message}: ${error.message}` : message;
}

/** A number for a text, the same every time. */
function seedOf(text: string): number {
  return Array.from(text).reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 0x01000193), 0x811c9dc5);
}
