// SPDX-License-Identifier: Apache-2.0
import type { PodTemplateSpec } from '@forge/kube/generated/types.ts';
import type { StatefulSet } from '@forge/kube/kinds/builtin.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import type { Warn } from '../resources/warn.ts';
import { podWarnings, nameWarnings } from './pods.ts';
import { claimSpecWarnings } from './storage.ts';

const inTemplate = podWarnings('spec.template');

type Templated = KubeObject & { spec?: { template?: PodTemplateSpec } };

/** Warnings for a workload that is new or has a changed spec. */
export function workloadWarnings(object: Templated, warn: Warn, before: Templated | undefined): void {
  if (before === undefined) nameWarnings(object, 'Pod names and hostnames', warn);
  daemonSetWarnings(object, warn, before);
}

/** The same for daemon sets, without their names. */
export function daemonSetWarnings(object: Templated, warn: Warn, before: Templated | undefined): void {
  if (isChanged(object, before)) inTemplate(object.spec?.template ?? {}, warn);
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

export function isChanged(object: KubeObject, before: KubeObject | undefined): boolean {
  return object.metadata.generation !== before?.metadata.generation;
}
