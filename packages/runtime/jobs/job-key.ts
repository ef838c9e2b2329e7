// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';
import type { Job } from '@forge/kube/kinds/builtin.ts';

/** Annotation of a Job: a hash of what it does; another key means another run. */
const jobKeyAnnotation = 'forge.c5c3.io/pod-spec-hash';

/** The Job annotated with its key: a hash of these values, or of its pod template. */
export function keyedJob(job: Job, values: unknown = job.spec?.template): Job {
  const { annotations } = job.metadata;
  const key = createHash('sha256').update(JSON.stringify(values)).digest('hex');
  return { ...job, metadata: { ...job.metadata, annotations: { ...annotations, [jobKeyAnnotation]: key } } };
}

/** The key of a Job. */
export function jobKeyOf({ metadata }: Job): string {
  return metadata.annotations?.[jobKeyAnnotation] ?? '';
}
