// SPDX-License-Identifier: Apache-2.0
import type { Job, CronJob } from '@forge/kube/kinds/builtin.ts';
import { jsonEqual } from '@forge/kube/objects/json.ts';
import type { Strategy } from '../../resources/resource.ts';
import { validateCronJob, validateJob } from '../../validation/kinds/batch.ts';
import { cronJobWarnings } from '../../warnings/batch.ts';
import { workloadWarnings } from '../../warnings/workloads.ts';
import { defaultCronJob, defaultJob } from '../defaults/batch.ts';
import { strategy } from './strategy.ts';

/** Sets selector and labels of a new job by its uid, unless manualSelector is set. */
function prepareJob(job: Job): Job {
  const { spec, metadata } = job;
  if (spec === undefined || spec.manualSelector === true) return { ...job, status: {} };
  const { name, uid = '' } = metadata;
  const { template, selector } = spec;
  const own = { 'batch.kubernetes.io/controller-uid': uid };
  const labels = {
    ...template.metadata?.labels,
    ...own,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    'job-name': name,
  };
  // A job without labels of its own has those of its template.
  const isLabelled = !jsonEqual(metadata.labels, template.metadata?.labels);
  return {
    ...job,
    metadata: isLabelled ? metadata : { ...metadata, labels },
    spec: {
      ...spec,
      selector: { ...selector, matchLabels: { ...selector?.matchLabels, ...own } },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
    status: {},
  };
}

/** By kind. */
export const batchStrategies: Readonly<Record<string, Strategy>> = {
  CronJob: strategy<CronJob>({
    default: defaultCronJob,
    validate: validateCronJob,
    warnings: cronJobWarnings,
    prepareForCreate: (object) => ({ ...object, status: {} }),
    generation: true,
  }),
  Job: strategy<Job>({
    default: defaultJob,
    prepareForCreate: prepareJob,
    validate: validateJob,
    warnings: workloadWarnings,
    generation: true,
    selectableFields: ['status.successful'],
  }),
};
