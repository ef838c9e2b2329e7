// SPDX-License-Identifier: Apache-2.0
import type { Random } from './random.ts';

/** Randomness that repeats for the same seed: for tests. */
export function seededRandom(seed = 1): Random {
  let state = seed >>> 0;

  // Mulberry32: small, fast, and even enough for jitter and names.
  function number(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  const bytes = (count: number) => new Uint8Array(count).map(() => Math.floor(number() * 256));

  return {
    number,
    bytes,
    uuid() {
      const hex = Buffer.from(bytes(16)).toString('hex');
      return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20)].join(
        '-',
      );
    },
  };
}
