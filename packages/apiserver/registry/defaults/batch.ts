// SPDX-License-Identifier: Apache-2.0
import type { JobSpec } from '@forge/kube/generated/types.ts';
import type { Job, CronJob } from '@forge/kube/kinds/builtin.ts';
import { defaultPodTemplate } from './default-pod-spec.ts';
import { defaults, chain, type Defaults } from './defaults.ts';

/** Without completions and parallelism, completions is 1. */
function onePod(spec: JobSpec): JobSpec {
  const { completions, parallelism } = spec;
  return completions === undefined && parallelism === undefined ? { ...spec, completions: 1 } : spec;
}

/** podReplacementPolicy is Failed when there is a podFailurePolicy. */
function replacement(spec: JobSpec): JobSpec {
  return { podReplacementPolicy: spec.podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed', ...spec };
}

/** Labels default to those of the template. */
function labelled(job: Job): Job {
  const { metadata, spec } = job;
  const labels = spec?.template.metadata?.labels;
  return metadata.labels === undefined && labels !== undefined ? { ...job, metadata: { ...metadata, labels } } : job;
}

/** Defaults of jobs. */
export const defaultJob: Defaults<Job> = chain<Job>(
  defaults(
    {},
    {
      spec: chain(
        onePod,
        replacement,
        defaults(
          { parallelism: 1, backoffLimit: 6, completionMode: 'NonIndexed', suspend: false, manualSelector: false },
          { template: defaultPodTemplate },
        ),
      ),
    },
  ),
  labelled,
);

/** Defaults of cron jobs. */
export const defaultCronJob = defaults<CronJob>(
  {},
  {
    spec: defaults(
      { concurrencyPolicy: 'Allow', suspend: false, successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 },
      { jobTemplate: defaults({}, { spec: defaults({}, { template: defaultPodTemplate }) }) },
    ),
  },
);
