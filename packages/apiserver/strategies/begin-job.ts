// SPDX-License-Identifier: Apache-2.0
import type { Job } from '@forge/kube/builtin.ts';

/** Gives a new job the selector of its own pods, by its uid, unless its writer takes care of that. */
export function beginJob(job: Job): Job {
  const { spec, metadata } = job;
  if (spec === undefined || spec.manualSelector === true) return { ...job, status: {} };
  const { name, uid = '' } = metadata;
  const { template } = spec;
  const labels = {
    ...template.metadata?.labels,
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    'job-name': name,
  };
  return {
    ...job,
    spec: {
      ...spec,
      selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': uid } },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
    status: {},
  };
}
