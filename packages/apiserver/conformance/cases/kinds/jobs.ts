// SPDX-License-Identifier: Apache-2.0
import type { Job } from '@forge/kube/kinds/builtin.ts';
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';

const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'example:1' }] } };

function job(name: string, spec: object = {}) {
  return { apiVersion: 'batch/v1', kind: 'Job', metadata: { name }, spec: { template, ...spec } };
}

function cronJob(name: string, spec: object = {}) {
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name },
    spec: { schedule: '*/5 * * * *', jobTemplate: { spec: { template } }, ...spec },
  };
}

/** Jobs and cron jobs. */
export const jobs: readonly ConformanceCase[] = [
  testCase('a job is created with its defaults', async (api) => {
    await api.post('batch/v1/jobs', job('a'));
    await api.post('batch/v1/jobs', job('b', { parallelism: 2 }), { dryRun: 'All' });
    await api.post('batch/v1/jobs', job('c', { completions: 3, completionMode: 'Indexed' }), { dryRun: 'All' });
    const labelled = { ...template, metadata: { labels: { app: 'd' } } };
    await api.post('batch/v1/jobs', job('d', { template: labelled }), { dryRun: 'All' });
  }),

  testCase('a job that selects its pods itself says so', async (api) => {
    const selector = { matchLabels: { app: 'a' } };
    const labelled = { ...template, metadata: { labels: { app: 'a' } } };
    await api.post('batch/v1/jobs', job('a', { selector, template: labelled, manualSelector: true }));
  }),

  testCase('a job with what makes no sense is refused', async (api) => {
    for (const spec of [
      { template: undefined },
      { template: { spec: { containers: template.spec.containers } } },
      { template: { spec: { ...template.spec, restartPolicy: 'Always' } } },
      { parallelism: -1, completions: -1, backoffLimit: -1, activeDeadlineSeconds: -1, ttlSecondsAfterFinished: -1 },
      { completionMode: 'Sorted' },
      { completionMode: 'Indexed' },
      { completionMode: 'Indexed', completions: 1, parallelism: 200_000, backoffLimitPerIndex: -1 },
      { podReplacementPolicy: 'Never' },
      { backoffLimitPerIndex: 1 },
    ]) {
      await api.post('batch/v1/jobs', job('a', spec));
    }
    await api.post('batch/v1/jobs', { ...job('a'), spec: undefined });
  }),

  testCase('what a job runs may not change', async (api) => {
    const created = await api.post<Job>('batch/v1/jobs', job('a'));
    for (const spec of [
      { completions: 2 },
      { completionMode: 'Indexed' },
      { selector: { matchLabels: { app: 'a' } } },
      { parallelism: 3, backoffLimit: 1, suspend: true, activeDeadlineSeconds: 5, ttlSecondsAfterFinished: 9 },
    ]) {
      await api.put('batch/v1/jobs/a', { ...created, spec: { ...created.spec, ...spec } });
    }
    await api.get('batch/v1/jobs/a');
  }),

  testCase('a job that has not begun may still get other labels and places', async (api) => {
    await api.post('batch/v1/jobs', job('a', { suspend: true }));
    const change = (more: object) => api.patch('strategic', 'batch/v1/jobs/a', { spec: { template: more } });
    await change({ metadata: { labels: { app: 'a' } } });
    await change({ spec: { nodeSelector: { disk: 'fast' } } });
  }),

  testCase('the template of a job may not change', async (api) => {
    const containers = [{ name: 'main', image: 'example:2' }];
    await api.post('batch/v1/jobs', job('a'));
    await api.patch('strategic', 'batch/v1/jobs/a', { spec: { template: { spec: { containers } } } });
    await api.post('batch/v1/jobs', job('b', { suspend: true }));
    await api.patch('strategic', 'batch/v1/jobs/b', { spec: { template: { spec: { containers } } } });
  }),

  testCase('a cron job is created with its defaults', async (api) => {
    await api.post('batch/v1/cronjobs', cronJob('a'));
  }),

  testCase('a cron job with what makes no sense is refused', async (api) => {
    for (const spec of [
      { schedule: undefined },
      { jobTemplate: undefined },
      { jobTemplate: { spec: { template: { spec: { ...template.spec, restartPolicy: 'Always' } } } } },
      { jobTemplate: { spec: { template, selector: { matchLabels: { app: 'a' } }, manualSelector: true } } },
      { concurrencyPolicy: 'Wait', startingDeadlineSeconds: -1 },
      { successfulJobsHistoryLimit: -1, failedJobsHistoryLimit: -1 },
      { timeZone: 'Mars/North' },
      { timeZone: '' },
    ]) {
      await api.post('batch/v1/cronjobs', cronJob('a', spec));
    }
    await api.post('batch/v1/cronjobs', cronJob('a'.repeat(53)));
  }),

  testCase('the schedule of a cron job must be one', async (api) => {
    for (const schedule of [
      '* * * *',
      '* * * * * *',
      '60 * * * *',
      '5-1 * * * *',
      '*/0 * * * *',
      'x * * * *',
      '* * * FOO *',
      '0 0 0 * *',
      '* * * * 7',
      '1,2-3-4 * * * *',
      '1/2/3 * * * *',
      '@often',
      '@every 5',
      'TZ=UTC 0 * * * *',
      'CRON_TZ=Mars/North 0 * * * *',
    ]) {
      await api.post('batch/v1/cronjobs', cronJob('a', { schedule }));
    }
    for (const schedule of ['@hourly', '@every 5m', '0 22 * JAN-MAR Mon,FRI', '*/5 ? 1-7/2 * *']) {
      await api.post('batch/v1/cronjobs', cronJob('a', { schedule }), { dryRun: 'All' });
    }
  }),
];
