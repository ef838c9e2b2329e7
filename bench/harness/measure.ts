// SPDX-License-Identifier: Apache-2.0

/** The median. */
export function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[numbers.length >>> 1] ?? NaN;
}

/** Wall-clock milliseconds, for work that waits for disks and other threads. */
export function wallTime(): number {
  return performance.now();
}

/** The duration of the work. */
export async function timed(now: () => number, work: () => unknown): Promise<number> {
  const start = now();
  await work();
  return now() - start;
}

/**
 * Times in milliseconds of several kinds of work, interleaved so that a busy machine slows all of them alike. The first
 * rounds are warm-ups and are not counted.
 */
export async function timesByName<Name extends string>(
  now: () => number,
  works: Record<Name, () => unknown>,
  rounds: number,
  warmUps = 1,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(works) as Name[];
  const times = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, number[]>;
  for (let round = 0; round < warmUps + rounds; round += 1) {
    for (const name of names) {
      const time = await timed(now, works[name]);
      if (round >= warmUps) times[name].push(time);
    }
  }
  return times;
}

/** The ratio of the two times of each round: what slows one round slows both. */
export function ratios(first: readonly number[], second: readonly number[]): number[] {
  return first.map((time, round) => time / (second[round] ?? NaN));
}

/** Rates per second, when `count` operations took each of these times in milliseconds. */
export function rates(count: number, times: readonly number[]): number[] {
  return times.map((time) => (count / time) * 1000);
}

/** Runs the work for each index, `width` at a time. */
export async function concurrently(
  count: number,
  width: number,
  work: (index: number) => Promise<unknown>,
): Promise<void> {
  const indexes = Array.from({ length: count }, (_, index) => index).values();
  const workers = Array.from({ length: width }, async () => {
    for (const index of indexes) await work(index);
  });
  await Promise.all(workers);
}
