// SPDX-License-Identifier: Apache-2.0
import { invalidValue, required, type FieldError } from '@forge/kube/errors/field-error.ts';
import { minExceedsMax, targetMessage } from '../api/autoscaling.ts';
import type { Keystone } from '../api/keystone.ts';
import { replicasExceedMax } from '../api/spec.ts';

/** Errors of autoscaling: limits that contradict each other, nothing to scale by. */
export function scaleErrors({ spec: { replicas, autoscaling } }: Keystone): FieldError[] {
  if (autoscaling === undefined) return [];
  const { minReplicas, maxReplicas, targetCPUUtilization: cpu, targetMemoryUtilization: memory } = autoscaling;
  const field = 'spec.autoscaling';
  return [
    ...(maxReplicas >= 1 && minReplicas !== undefined && minReplicas > maxReplicas
      ? [invalidValue(`${field}.minReplicas`, minReplicas, minExceedsMax)]
      : []),
    ...(maxReplicas >= 1 && minReplicas === undefined && replicas > maxReplicas
      ? [invalidValue(`${field}.maxReplicas`, maxReplicas, replicasExceedMax(replicas))]
      : []),
    ...(cpu === undefined && memory === undefined ? [required(field, targetMessage)] : []),
  ];
}
