// SPDX-License-Identifier: Apache-2.0
import { isObject } from '@forge/kube/objects/json.ts';

const minute = 60_000;
const scheduledFields = new Set(['lastScheduleTime', 'batch.kubernetes.io/cronjob-scheduled-timestamp']);
/** A scheduled time in the name of a Job: minutes since the epoch. */
const inName = /-(\d{8})\b/g;
const inMessage = /\b\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d \+0000/g;
/** Two weeks: other numbers are no times of the case. */
const maxDistance = 20_000;

/** Replaces scheduled times, wherever they are written, by minutes relative to the one in which the case began. */
export function relativeMinutes(value: unknown, began: number, field = ''): unknown {
  const first = Math.floor(began / minute);
  const relative = (minutes: number): string => `<minute${minutes < first ? '-' : '+'}${Math.abs(minutes - first)}>`;
  if (Array.isArray(value)) return value.map((item) => relativeMinutes(item, began, field));
  if (isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, relativeMinutes(each, began, key)]));
  }
  if (typeof value !== 'string') return value;
  if (scheduledFields.has(field)) {
    const offset = /(?:Z|[+-]\d\d:\d\d)$/.exec(value)?.[0] ?? '';
    const seconds = Date.parse(value) % minute === 0 ? '' : `:${value.slice(17, 19)}`;
    return `${relative(Math.floor(Date.parse(value) / minute))}${seconds}${offset}`;
  }
  return value
    .replaceAll(inName, (text, number: string) =>
      Math.abs(Number(number) - first) < maxDistance ? `-${relative(Number(number))}` : text,
    )
    .replaceAll(inMessage, (text) => relative(Math.floor(Date.parse(text) / minute)));
}
