// SPDX-License-Identifier: Apache-2.0
import type { Clock } from '../environment/clock.ts';
import { milliseconds, type Duration } from '../environment/duration.ts';
import { boundedMap } from './bounded-map.ts';

interface MemoOptions<T> {
  clock: Pick<Clock, 'monotonic'>;
  /** How many values are kept; a further one evicts the one set longest ago. */
  size: number;
  /** For how long a value is used again. */
  holdsFor: (value: T) => Duration;
}

/** Remembered values, each for a limited time. */
interface ExpiringMemo<T> {
  /** The remembered value while it holds, else the computed one; an error is not remembered. */
  get(key: string, compute: () => Promise<T>): Promise<T>;
  /** The value that was set last, and for how much longer it holds: 0 when it has expired. */
  last(key: string): { readonly value: T; readonly left: Duration } | undefined;
  set(key: string, value: T): void;
}

/** Remembers values until they expire by the monotonic clock. */
export function expiringMemo<T>({ clock, size, holdsFor }: MemoOptions<T>): ExpiringMemo<T> {
  const known = boundedMap<{ value: T; until: number }>(size);
  const set = (key: string, value: T) => known.set(key, { value, until: clock.monotonic() + holdsFor(value) });
  const last = (key: string) => {
    const { value, until } = known.get(key) ?? {};
    return until === undefined
      ? undefined
      : { value: value as T, left: milliseconds(Math.max(0, until - clock.monotonic())) };
  };
  return {
    async get(key, compute) {
      const remembered = last(key);
      if (remembered !== undefined && remembered.left > 0) return remembered.value;
      const value = await compute();
      set(key, value);
      return value;
    },
    last,
    set,
  };
}
