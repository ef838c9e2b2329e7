// SPDX-License-Identifier: Apache-2.0
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startOne } from '../harness/bench-server.ts';
import type { Figure } from '../harness/figure.ts';
import { median, ratios } from '../harness/measure.ts';

const rounds = 5;

/**
 * The time until an in-process API server is ready, with its modules loaded: for the first one of a process, and for a
 * further one.
 */
export async function start(): Promise<Figure[]> {
  const first: number[] = [];
  const further: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    first.push(await firstInNewProcess());
    further.push(await startOne());
  }
  return [
    { what: 'start a further API server', samples: further, unit: 'ms' },
    {
      what: 'start the first API server of a process',
      samples: first,
      unit: 'ms',
      goal: { atMost: 15 },
      ratio: `${median(ratios(first, further)).toFixed(0)} × a further one`,
    },
  ];
}

async function firstInNewProcess(): Promise<number> {
  const program = fileURLToPath(new URL('../programs/start-once.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program]);
  return Number(stdout);
}
