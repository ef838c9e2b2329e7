// SPDX-License-Identifier: Apache-2.0
import type { PodTemplateSpec } from '@forge/kube/generated/types.ts';
import type { Job } from '@forge/kube/kinds/builtin.ts';
import { keyedJob } from '@forge/runtime/jobs/job-key.ts';
import type { Keystone } from '../../api/keystone.ts';
import { commonLabels } from '../../api/names.ts';
import { configDir } from '../pod.ts';

/** How every command on the mounted configuration begins. */
export const keystoneManage = ['keystone-manage', `--config-dir=${configDir}`];

interface JobOptions {
  backoffLimit: number;
  ttlSecondsAfterFinished?: number;
  template: PodTemplateSpec;
  /** What the Job does for this very Keystone; two Jobs that do the same are one run. Default: the pod template. */
  does?: unknown;
}

/** A Job of this very Keystone: one of an earlier Keystone of the name has another key. */
export function keystoneJob(keystone: Keystone, name: string, { does, ...spec }: JobOptions): Job {
  const metadata = { name, labels: commonLabels(keystone) };
  const values = [keystone.metadata.uid, does ?? spec.template];
  return keyedJob({ apiVersion: 'batch/v1', kind: 'Job', metadata, spec }, values);
}

/** Why a Job failed, for a condition. */
export function failureOf(keystone: Keystone, { metadata }: Job): string {
  return `job has permanently failed: ${keystone.metadata.namespace}/${metadata.name}`;
}
