// SPDX-License-Identifier: Apache-2.0
import { seededKeys } from '@forge/pki/seeded-keys.ts';
import type { Random } from './random.ts';

/** Repeatable randomness from a seed, for tests. */
export function seededRandom(seed = 1): Random {
  let state = seed >>> 0;

  // Mulberry32: small, fast, and even enough for jitter and names.
  function number(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  const byte = (): number => Math.floor(number() * 256);
  const bytes = (count: number): Uint8Array => new Uint8Array(count).map(byte);

  function hex(count: number): string {
    let text = '';
    for (let index = 0; index < count; index += 1) text += hexBytes[byte()] as string;
    return text;
  }

  return {
    number,
    bytes,
    keys: seededKeys(bytes),
    uuid: () => `${hex(4)}-${hex(2)}-4${hex(2).slice(1)}-8${hex(2).slice(1)}-${hex(6)}`,
  };
}

const hexBytes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
