// SPDX-License-Identifier: Apache-2.0
import { simulation as prepared } from '@forge/simulation/run/simulation.ts';
import { alone } from '@forge/simulation/test/websites-scenario.ts';
import { threadTime } from '@forge/testing/longest-block.ts';
import type { Figure } from '../harness/figure.ts';
import { timed } from '../harness/measure.ts';

const rounds = 5;
const runsARound = 200;

/** Complete runs of the sample operator's scenario, each with faults from a new seed. */
export async function simulation(): Promise<Figure[]> {
  const websites = await prepared(alone);
  const runsAMinute: number[] = [];
  const microsecondsAStep: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    let steps = 0;
    const time = await timed(threadTime, async () => {
      for (let run = 1; run <= runsARound; run += 1) {
        steps += (await websites.run(round * runsARound + run)).trace.length;
      }
    });
    // The first round warms up.
    if (round === 0) continue;
    runsAMinute.push((runsARound / time) * 60_000);
    microsecondsAStep.push((time / steps) * 1000);
  }
  return [
    { what: 'runs of the sample operator', samples: runsAMinute, unit: '/min', goal: { atLeast: 3000 } },
    { what: 'one step of a run', samples: microsecondsAStep, unit: 'µs' },
  ];
}
