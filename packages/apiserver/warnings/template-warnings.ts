// SPDX-License-Identifier: Apache-2.0
import type { PodTemplateSpec } from '@forge/kube/generated/types.ts';
import type { CronJob, Pod, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { dnsLabelProblem } from '../formats/names.ts';
import type { Warn } from '../resources/warn.ts';
import { claimSpecWarnings } from './claim-warnings.ts';
import { podWarnings } from './pod-warnings.ts';

const inPod = podWarnings('');
const inTemplate = podWarnings('spec.template');
const inJobTemplate = podWarnings('spec.jobTemplate.spec.template');

type Templated = KubeObject & { spec?: { template?: PodTemplateSpec } };

/** Warnings for a new pod; updates get none. */
export function newPodWarnings(pod: Pod, warn: Warn, before: Pod | undefined): void {
  if (before !== undefined) return;
  nameWarnings(pod, "the Pod's hostname", warn);
  inPod(pod, warn);
}

/** Warnings for a workload that is new or has a changed spec. */
export function workloadWarnings(object: Templated, warn: Warn, before: Templated | undefined): void {
  if (before === undefined) nameWarnings(object, 'Pod names and hostnames', warn);
  daemonSetWarnings(object, warn, before);
}

/** The same for daemon sets, without their names. */
export function daemonSetWarnings(object: Templated, warn: Warn, before: Templated | undefined): void {
  if (isChanged(object, before)) inTemplate(object.spec?.template ?? {}, warn);
}

/** The same for cron jobs. */
export function cronJobWarnings(object: CronJob, warn: Warn, before: CronJob | undefined): void {
  if (before === undefined) nameWarnings(object, 'Pod names and hostnames', warn);
  const template = object.spec.jobTemplate.spec?.template ?? {};
  if (isChanged(object, before)) inJobTemplate(template, warn);
}

/** The same for stateful sets, without their names but with their claim templates. */
export function statefulSetWarnings(object: StatefulSet, warn: Warn, before: StatefulSet | undefined): void {
  const { spec } = object;
  if (isChanged(object, before)) inTemplate(spec?.template ?? {}, warn);
  for (const [index, claim] of (spec?.volumeClaimTemplates ?? []).entries()) {
    const place = `spec.volumeClaimTemplates[${index}]${before === undefined ? '' : '.Spec'}`;
    claimSpecWarnings(claim.spec ?? {}, place, warn);
  }
  if ((spec?.revisionHistoryLimit ?? 0) < 0) {
    warn('spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended');
  }
}

function isChanged(object: KubeObject, before: KubeObject | undefined): boolean {
  return object.metadata.generation !== before?.metadata.generation;
}

function nameWarnings({ metadata: { name } }: KubeObject, use: string, warn: Warn): void {
  const problem = dnsLabelProblem(name);
  if (problem === undefined) return;
  warn(
    `metadata.name: this is used in ${use}, which can result in surprising behavior; a DNS label is recommended: [${problem}]`,
  );
}
