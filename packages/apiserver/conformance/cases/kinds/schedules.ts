// SPDX-License-Identifier: Apache-2.0
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';

const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'example:1' }] } };

function cronJob(spec: object) {
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'a' },
    spec: { schedule: '@daily', jobTemplate: { spec: { template } }, ...spec },
  };
}

/** Schedules and time zones of cron jobs, where parsers disagree. */
export const schedules: readonly ConformanceCase[] = [
  testCase('a schedule that other parsers refuse is accepted', async (api) => {
    for (const schedule of [
      '*-1-2 * * * *',
      '+5 * * * *',
      ', * * * *',
      '0 0 30 2 *',
      '@every -1h',
      '@every 1.5s',
      '?/1 * * * *',
    ]) {
      await api.post('batch/v1/cronjobs', cronJob({ schedule }), { dryRun: 'All' });
    }
  }),

  testCase('a schedule that other parsers accept is refused', async (api) => {
    for (const schedule of [
      ' ',
      ' @daily',
      '@Daily',
      '@reboot',
      '@every',
      '@every 1d',
      '@every 1h 5m',
      '@every 9999999999h',
      '0 0 L * *',
      '0 0 * * 5#2',
      '*/-5 * * * *',
      '-5 * * * *',
      '99999999999999999999 * * * *',
      'TZ=UTC',
      'TZ=../UTC 0 * * * *',
      'TZ=europe/berlin 0 * * * *',
    ]) {
      await api.post('batch/v1/cronjobs', cronJob({ schedule }));
    }
  }),

  testCase('a time zone has the exact name of a place', async (api) => {
    for (const timeZone of ['Europe/Berlin', 'Etc/GMT+5', 'EST5EDT', 'UTC']) {
      await api.post('batch/v1/cronjobs', cronJob({ timeZone }), { dryRun: 'All' });
    }
    for (const timeZone of ['Local', 'local', 'europe/berlin', '+01:00', '../UTC', 'Etc//UTC', '-x/UTC']) {
      await api.post('batch/v1/cronjobs', cronJob({ timeZone }));
    }
  }),
];
