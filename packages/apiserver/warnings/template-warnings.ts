// SPDX-License-Identifier: Apache-2.0
import type { CronJob, Pod, StatefulSet } from '@forge/kube/builtin.ts';
import type { PodTemplateSpec } from '@forge/kube/generated/types.ts';
import type { KubeObject } from '@forge/kube/object.ts';
import { dnsLabelProblem } from '../validation/names.ts';
import { claimSpecWarnings } from './claim-warnings.ts';
import { podWarnings } from './pod-warnings.ts';

type Templated = KubeObject & { spec?: { template?: PodTemplateSpec } };

/** Warns of a pod when it is born: nobody who changes one later would read it. */
export function* newPodWarnings(pod: Pod, before: Pod | undefined): Generator<string> {
  if (before !== undefined) return;
  yield* nameWarnings(pod, "the Pod's hostname");
  yield* podWarnings(pod);
}

/** Warns of what makes pods, when it is born or wants others. */
export function* workloadWarnings(object: Templated, before: Templated | undefined): Generator<string> {
  if (before === undefined) yield* nameWarnings(object, 'Pod names and hostnames');
  if (isChanged(object, before)) yield* podWarnings(object.spec?.template ?? {}, 'spec.template');
}

/** The same for what makes jobs. */
export function* cronJobWarnings(object: CronJob, before: CronJob | undefined): Generator<string> {
  if (before === undefined) yield* nameWarnings(object, 'Pod names and hostnames');
  const template = object.spec.jobTemplate.spec?.template ?? {};
  if (isChanged(object, before)) yield* podWarnings(template, 'spec.jobTemplate.spec.template');
}

/** The same for stateful sets, whose names are looked at elsewhere and which make claims too. */
export function* statefulSetWarnings(object: StatefulSet, before: StatefulSet | undefined): Generator<string> {
  const { spec } = object;
  if (isChanged(object, before)) yield* podWarnings(spec?.template ?? {}, 'spec.template');
  for (const [index, claim] of (spec?.volumeClaimTemplates ?? []).entries()) {
    const place = `spec.volumeClaimTemplates[${index}]${before === undefined ? '' : '.Spec'}`;
    yield* claimSpecWarnings(claim.spec ?? {}, place);
  }
  if ((spec?.revisionHistoryLimit ?? 0) < 0) {
    yield 'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended';
  }
}

function isChanged(object: KubeObject, before: KubeObject | undefined): boolean {
  return object.metadata.generation !== before?.metadata.generation;
}

function* nameWarnings({ metadata: { name } }: KubeObject, use: string): Generator<string> {
  const problem = dnsLabelProblem(name);
  if (problem === undefined) return;
  yield `metadata.name: this is used in ${use}, which can result in surprising behavior; a DNS label is recommended: [${problem}]`;
}
