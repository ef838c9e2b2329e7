// SPDX-License-Identifier: Apache-2.0
import { invalid, path, spec, tooSmall, type AdmissionCase } from './admission-case.ts';

const cronShape = 'invalid cron expression: write five fields';
const cronRemedy = 'use * or numbers from 0 to 23, as a list 1,2, a range 1-3 or with a step */2';

function schedules(field: string, missing: string): AdmissionCase[] {
  const zone = 'CronJobs take no time zone in a schedule; remove it and write the times in UTC';
  const hour = `schedule "0 24 * * *": hour "24": end of range (24) above maximum (23): 24; ${cronRemedy}`;
  const backwards = `schedule "0 5-3 * * *": hour "5-3": beginning of range (5) beyond end of range (3): 5-3; ${cronRemedy}`;
  return [
    {
      name: `no ${field}`,
      change: path(field, ''),
      webhook: [field, `Required value: ${missing}`],
      schema: [field, cronShape],
    },
    {
      name: `an hour in ${field} that no day has`,
      change: path(field, '0 24 * * *'),
      webhook: invalid(field, '0 24 * * *', `invalid cron expression: ${hour}`),
      schema: [field, cronShape],
    },
    {
      name: `a time zone in ${field}`,
      change: path(field, 'TZ=Europe/Berlin 0 0 * * *'),
      webhook: invalid(field, 'TZ=Europe/Berlin 0 0 * * *', `invalid cron expression: ${zone}`),
      schema: [field, cronShape],
    },
    {
      name: `a range in ${field} that ends before it begins`,
      change: path(field, '0 5-3 * * *'),
      webhook: invalid(field, '0 5-3 * * *', `invalid cron expression: ${backwards}`),
      schema: undefined,
    },
  ];
}

const dates = '--date takes a date as DD-MM-YYYY or YYYY-MM-DD, for example --date=31-12-2025';
const flush = (args: string[]) => spec({ trustFlush: { schedule: '0 * * * *', args } });

/** Schedules of rotation and trust flush. */
export const rotationCases: readonly AdmissionCase[] = [
  ...['fernet', 'credentialKeys'].flatMap((keys) => [
    ...schedules(`spec.${keys}.rotationSchedule`, 'rotationSchedule must be set; default is "0 0 * * 0"'),
    tooSmall(`spec.${keys}.maxActiveKeys`, 2, 3, 'maxActiveKeys must be at least 3'),
  ]),
  ...schedules('spec.trustFlush.schedule', 'schedule must be set; default is "0 * * * *"'),
  {
    name: 'a word after --date',
    change: flush(['--date', 'soon']),
    webhook: invalid('spec.trustFlush.args[1]', 'soon', dates),
    schema: ['spec.trustFlush.args', dates],
  },
  {
    name: 'nothing after --date',
    change: flush(['--project-id', 'p', '--date']),
    webhook: invalid('spec.trustFlush.args[2]', '', dates),
    schema: ['spec.trustFlush.args', dates],
  },
  {
    name: 'a day after --date= that no calendar has',
    change: flush(['--date=30-02-2025']),
    webhook: invalid('spec.trustFlush.args[0]', '30-02-2025', dates),
    schema: undefined,
  },
];
