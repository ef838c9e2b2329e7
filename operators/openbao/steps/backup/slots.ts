// SPDX-License-Identifier: Apache-2.0
// A slot is a time of the schedule. Its snapshot is made at most once, and at most fifteen minutes late: after a restart, or once
// what it had to wait for is over. Schedules whose slots are closer than that are refused, so that at most one is due at a time.
import { nextTime } from '@forge/cron/next-time.ts';
import { parseCron } from '@forge/cron/parse-cron.ts';
import { boundedMap } from '@forge/runtime/collections/bounded-map.ts';
import { minutes } from '@forge/runtime/environment/duration.ts';
import { backingUp } from '../../conditions/backing-up.ts';

type Schedule = NonNullable<ReturnType<typeof parseCron>['schedule']>;

/** How late a snapshot may begin, and the least time between two slots. */
export const lateness = minutes(15);

/** A schedule that snapshots can follow, or what is wrong with it. */
export type ReadSchedule = { readonly schedule: Schedule } | { readonly problem: ReturnType<typeof backingUp.invalid> };

/** Reads a schedule, as of this time. */
export function readSchedule(text: string, now: number): ReadSchedule {
  const { schedule, error } = parseCron(text);
  if (error !== undefined) return { problem: backingUp.invalid({ cause: error.message }) };
  if (nextTime(schedule, now) === undefined) return { problem: backingUp.never({ schedule: text }) };
  return isTooDense(text, schedule, now) ? { problem: backingUp.tooDense({ schedule: text }) } : { schedule };
}

/** What is known of the slots: in milliseconds since the epoch. */
interface Slots {
  /** The slot whose snapshot should begin now. */
  readonly due?: number;
  /** The slot that was planned, and is too long ago now. */
  readonly missed?: number;
  /** The next slot in the future. */
  readonly next: number;
}

/** Which slots are due and next, when `planned` was the next one so far; a schedule that was changed is planned anew. */
export function slotsAt(schedule: Schedule, planned: number | undefined, now: number): Slots {
  const next = nextTime(schedule, now) ?? Infinity;
  if (planned === undefined || planned > now) return { next };
  const latest = nextTime(schedule, now - lateness);
  return latest !== undefined && latest <= now ? { due: latest, next } : { missed: planned, next };
}

const day = 24 * 60 * 60 * 1000;
const slotsCompared = 100;

/** Results by day and schedule: looking far ahead takes time, and every pass needs one. */
const densities = boundedMap<boolean>(256);

/** Whether two of the next hundred slots, from the beginning of the day on, are too close to each other. */
function isTooDense(text: string, schedule: Schedule, now: number): boolean {
  const today = Math.floor(now / day) * day;
  const key = `${today} ${text}`;
  const known = densities.get(key) ?? hasCloseSlots(schedule, today);
  densities.set(key, known);
  return known;
}

function hasCloseSlots(schedule: Schedule, start: number): boolean {
  let slot = nextTime(schedule, start - 1);
  for (let count = 1; count < slotsCompared && slot !== undefined; count += 1) {
    const following = nextTime(schedule, slot);
    if (following !== undefined && following - slot < lateness) return true;
    slot = following;
  }
  return false;
}
