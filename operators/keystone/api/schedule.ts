// SPDX-License-Identifier: Apache-2.0
import { rule } from '@forge/kube/schema/schema-types.ts';
import { Type, type TString } from 'typebox';

const months = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec';
const days = 'sun|mon|tue|wed|thu|fri|sat';

/** A field of a cron expression: values, ranges and steps, in a list. */
function field(value: string): string {
  const item = `([*?]|0*(${value})(-0*(${value}))?)(/0*[1-9][0-9]*)?`;
  return `${item}(,${item})*`;
}

const fields = ['[0-5]?[0-9]', '[01]?[0-9]|2[0-3]', '[1-9]|[12][0-9]|3[01]', `[1-9]|1[0-2]|${months}`, `[0-6]|${days}`];
const descriptor = '@(yearly|annually|monthly|weekly|daily|midnight|hourly)|@every [0-9hmsunµ.]+';

/** The form of a cron expression. The webhook finds what a pattern cannot: ranges that end before they begin. */
export const cronPattern = `^((?i:${fields.map(field).join(' +')})|${descriptor})$`;

const message =
  'invalid cron expression: write five fields (minute, hour, day of month, month, day of week) as in "0 0 * * 0", or a ' +
  'descriptor such as @daily; a time zone cannot be given';

/** A cron expression as CronJobs take it. */
export function schedule(value: string, description: string): TString {
  return Type.String({
    default: value,
    maxLength: 256,
    description: `${description} A cron expression with five fields, or a descriptor such as @daily; in UTC.`,
    ...rule(`self.matches('${cronPattern}')`, message),
  });
}
