// SPDX-License-Identifier: Apache-2.0
import { invalidValue, required, type FieldError } from '@forge/kube/errors/field-error.ts';
import { minExceedsMax, targetMessage } from '../api/autoscaling.ts';
import type { Keystone } from '../api/keystone.ts';
import { replicasExceedMax } from '../api/spec.ts';

/** Errors of the number of API pods: numbers below their minimum, limits that contradict each other, nothing to scale by. */
export function scaleErrors({ spec: { replicas, autoscaling } }: Keystone): FieldError[] {
  return [
    ...atLeastOne('spec', 'replicas', replicas),
    ...(autoscaling === undefined ? [] : autoscalingErrors(autoscaling, replicas)),
  ];
}

function autoscalingErrors(autoscaling: NonNullable<Keystone['spec']['autoscaling']>, replicas: number): FieldError[] {
  const { minReplicas, maxReplicas, targetCPUUtilization: cpu, targetMemoryUtilization: memory } = autoscaling;
  const field = 'spec.autoscaling';
  return [
    ...atLeastOne(field, 'maxReplicas', maxReplicas),
    ...atLeastOne(field, 'minReplicas', minReplicas),
    ...(maxReplicas >= 1 && minReplicas !== undefined && minReplicas > maxReplicas
      ? [invalidValue(`${field}.minReplicas`, minReplicas, minExceedsMax)]
      : []),
    ...(maxReplicas >= 1 && minReplicas === undefined && replicas > maxReplicas
      ? [invalidValue(`${field}.maxReplicas`, maxReplicas, replicasExceedMax(replicas))]
      : []),
    ...percent(field, 'targetCPUUtilization', cpu),
    ...percent(field, 'targetMemoryUtilization', memory),
    ...(cpu === undefined && memory === undefined ? [required(field, targetMessage)] : []),
  ];
}

function percent(section: string, field: string, value: number | undefined): FieldError[] {
  if (value === undefined || (value >= 1 && value <= 100)) return [];
  return [invalidValue(`${section}.${field}`, value, `${field} must be between 1 and 100`)];
}

/** The error of a number that is set and less than 1. */
export function atLeastOne(section: string, field: string, value: number | undefined): FieldError[] {
  if (value === undefined || value >= 1) return [];
  return [invalidValue(`${section}.${field}`, value, `${field} must be at least 1`)];
}
