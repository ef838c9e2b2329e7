// SPDX-License-Identifier: Apache-2.0
import type { Deployment, Job, ReplicaSet, StatefulSet } from '@forge/kube/builtin.ts';
import { invalidValue, required, unsupported, forbidden, type FieldError } from '@forge/kube/field-error.ts';
import type { LabelSelector, PodTemplateSpec } from '@forge/kube/generated/types.ts';
import { jsonEqual } from '@forge/kube/json.ts';
import { matchesLabelSelector } from '@forge/kube/selector.ts';
import { immutable } from './field-error.ts';
import { validatePodSpec } from './validate-pod.ts';

/** A deployment selects the pods of its template, for ever the same way. */
export function validateDeployment({ spec }: Deployment, before: Deployment | undefined): FieldError[] {
  return spec === undefined ? [required('spec')] : validateReplicated(spec, before?.spec);
}

/** A replica set selects the pods of its template, for ever the same way. */
export function validateReplicaSet({ spec }: ReplicaSet, before: ReplicaSet | undefined): FieldError[] {
  return spec === undefined ? [required('spec')] : validateReplicated(spec, before?.spec);
}

/** A stateful set may change its number of replicas, its template and how it rolls out, nothing else. */
export function validateStatefulSet({ spec }: StatefulSet, before: StatefulSet | undefined): FieldError[] {
  if (spec === undefined) return [required('spec')];
  const errors = validateReplicated(spec, before?.spec);
  if (before?.spec === undefined) return errors;
  const old = Object.entries(before.spec).filter(([field]) => !changeableInStatefulSet.has(field));
  const current = Object.entries(spec).filter(([field]) => !changeableInStatefulSet.has(field));
  if (jsonEqual(Object.fromEntries(current), Object.fromEntries(old))) return errors;
  const detail =
    "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";
  return [...errors, forbidden('spec', detail)];
}

/** A job's pods end by themselves; what they are cannot change once it runs. */
export function validateJob({ spec }: Job, before: Job | undefined): FieldError[] {
  if (spec === undefined) return [required('spec')];
  const errors: FieldError[] = [];
  const { restartPolicy } = spec.template.spec ?? {};
  if (restartPolicy === undefined || restartPolicy === 'Always') {
    errors.push(required('spec.template.spec.restartPolicy', 'valid values: "OnFailure", "Never"'));
  }
  if (spec.template.spec !== undefined) errors.push(...validatePodSpec(spec.template.spec, 'spec.template.spec'));
  for (const field of [
    'parallelism',
    'completions',
    'backoffLimit',
    'activeDeadlineSeconds',
    'ttlSecondsAfterFinished',
  ] as const) {
    if ((spec[field] ?? 0) < 0) errors.push(negative(`spec.${field}`, spec[field]));
  }
  if (before?.spec === undefined) return errors;
  for (const field of ['completions', 'selector', 'template', 'completionMode'] as const) {
    const suspended = before.spec.suspend === true && field === 'template';
    if (!suspended && !jsonEqual(spec[field], before.spec[field])) errors.push(immutable(`spec.${field}`, spec[field]));
  }
  return errors;
}

const changeableInStatefulSet = new Set([
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
]);

interface Replicated {
  replicas?: number;
  selector: LabelSelector;
  template?: PodTemplateSpec;
}

function validateReplicated(
  { replicas = 1, selector, template }: Replicated,
  before: Replicated | undefined,
): FieldError[] {
  const errors: FieldError[] = [];
  if (replicas < 0) errors.push(negative('spec.replicas', replicas));
  const labels = template?.metadata?.labels ?? {};
  if (Object.keys(selector).length === 0) {
    errors.push(invalidValue('spec.selector', selector, 'empty selector is invalid for deployment'));
  } else if (!matchesLabelSelector(selector, labels)) {
    errors.push(invalidValue('spec.template.metadata.labels', labels, '`selector` does not match template `labels`'));
  }
  const { restartPolicy = 'Always' } = template?.spec ?? {};
  if (restartPolicy !== 'Always')
    errors.push(unsupported('spec.template.spec.restartPolicy', restartPolicy, ['Always']));
  if (template?.spec !== undefined) errors.push(...validatePodSpec(template.spec, 'spec.template.spec'));
  if (before !== undefined && !jsonEqual(selector, before.selector)) errors.push(immutable('spec.selector', selector));
  return errors;
}

function negative(field: string, value: unknown): FieldError {
  return invalidValue(field, value, 'must be greater than or equal to 0');
}
