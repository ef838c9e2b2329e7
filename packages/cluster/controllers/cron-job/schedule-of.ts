// SPDX-License-Identifier: Apache-2.0
import { parseCron } from '@forge/cron/parse-cron.ts';
import type { Schedule } from '@forge/cron/schedule.ts';
import { timeZone } from '@forge/cron/time-zone.ts';
import type { CronJobSpec } from '@forge/kube/generated/types.ts';
import type { EventNote } from '@forge/runtime/events/event-recorder.ts';

/** The schedule of a CronJob, and warnings for its user; without a schedule, it runs no Jobs. */
interface ReadSchedule {
  schedule?: Schedule;
  warnings: EventNote[];
}

const documentation = 'https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/';

/** Reads the schedule in its time zone. */
export function scheduleOf({ schedule: text, timeZone: zone }: CronJobSpec): ReadSchedule {
  if (zone !== undefined && timeZone(zone) === undefined) {
    return { warnings: [warning('UnknownTimeZone', `invalid timeZone: "${zone}": unknown time zone ${zone}`)] };
  }
  const hasZone = text.includes('TZ');
  const note = `CRON_TZ or TZ used in schedule "${text}" is not officially supported, see ${documentation} for more details`;
  const warnings = hasZone ? [warning('UnsupportedSchedule', note)] : [];
  const { schedule, error } = parseCron(zone === undefined || hasZone ? text : `TZ=${zone} ${text}`);
  if (error === undefined) return { schedule, warnings };
  return {
    warnings: [...warnings, warning('UnparseableSchedule', `unparseable schedule: "${text}" : ${error.reason}`)],
  };
}

function warning(reason: string, message: string): EventNote {
  return { type: 'Warning', reason, message };
}
