// SPDX-License-Identifier: Apache-2.0
import type { Job } from '@forge/kube/kinds/builtin.ts';
import { jsonEqual } from '@forge/kube/objects/json.ts';

/** Gives a new job the selector of its own pods, by its uid, unless its writer takes care of that. */
export function prepareJob(job: Job): Job {
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
  // A job that has its labels from its template has these too.
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
