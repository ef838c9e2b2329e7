// SPDX-License-Identifier: Apache-2.0
import { Store } from '@forge/apiserver/storage/store.ts';
import { threadTime } from '@forge/testing/longest-block.ts';
import type { Figure } from '../harness/figure.ts';
import { filledStore } from '../harness/filled-store.ts';
import { timesByName, median, ratios } from '../harness/measure.ts';

const count = 20_000;
const rounds = 5;

/** Forks of a small and a large store. */
export async function fork(): Promise<Figure[]> {
  const small = await filledStore(10_000);
  const large = await filledStore(100_000);
  const works = {
    empty: () => forkOften(new Store()),
    small: () => forkOften(small),
    large: () => forkOften(large),
  };
  const times = await timesByName(threadTime, works, rounds);
  const figure = (what: string, each: readonly number[]): Figure => ({
    what,
    samples: each.map((time) => (time / count) * 1000),
    unit: 'µs',
    goal: { atMost: 50 },
    ratio: `${median(ratios(each, times.empty)).toFixed(1)} × an empty one`,
  });
  return [
    figure('fork a store of 10,000 objects', times.small),
    figure('fork a store of 100,000 objects', times.large),
    {
      what: 'the larger against the smaller',
      samples: ratios(times.large, times.small),
      unit: '×',
      goal: { atMost: 2 },
    },
  ];
}

function forkOften(store: Store): void {
  for (let index = 0; index < count; index += 1) store.fork();
}
