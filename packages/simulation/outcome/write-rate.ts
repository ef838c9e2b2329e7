// SPDX-License-Identifier: Apache-2.0
import { minutes } from '@forge/runtime/environment/duration.ts';

/** More writes of a process to one object within a minute count as a loop, even with faults: retries back off. */
const usualLimit = 30;

/** Records a write at this time; returns an error message when there are too many. */
export type WriteRate = (writer: string, key: string, now: number) => string | undefined;

/** Counts writes per object and minute. */
export function writeRate(mostPerMinute = usualLimit): WriteRate {
  const times = new Map<string, number[]>();
  return (writer, key, now) => {
    const known = times.get(`${writer} ${key}`) ?? [];
    times.set(`${writer} ${key}`, known);
    known.push(now);
    if (known.length <= mostPerMinute) return undefined;
    const first = known.shift() ?? now;
    return now - first < minutes(1) ? `${writer} wrote ${key} more than ${mostPerMinute} times in a minute` : undefined;
  };
}
