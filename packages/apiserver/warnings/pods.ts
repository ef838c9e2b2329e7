// SPDX-License-Identifier: Apache-2.0
import type { Container, PodTemplateSpec, PodSpec, EnvVar } from '@forge/kube/generated/types.ts';
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { dnsLabelProblem } from '../formats/names.ts';
import type { Warn } from '../resources/warn.ts';
import { affinityWarnings, placementWarnings } from './affinity-warnings.ts';
import {
  annotationWarnings,
  hasContainerAnnotations,
  podProfileWarnings,
  profileWarnings,
} from './annotation-warnings.ts';
import { portWarnings } from './port-warnings.ts';
import { fractionWarnings } from './storage.ts';
import { volumeWarnings } from './volume-warnings.ts';

/** A container and its path. */
export interface PlacedContainer {
  place: string;
  container: Container;
}

const bytes = ['memory', 'ephemeral-storage'];

/** Warns of ineffective or ambiguous fields of a pod, or of pod templates at this path. */
export function podWarnings(place: string): (pod: PodTemplateSpec, warn: Warn) => void {
  const isTemplate = place !== '';
  const inSpec = isTemplate ? `${place}.spec` : 'spec';
  const inAnnotations = isTemplate ? `${place}.metadata.annotations` : 'metadata.annotations';
  return ({ metadata: { annotations = {} } = {}, spec }, warn) => {
    if (spec === undefined) return;
    placementWarnings(spec, inSpec, warn);
    annotationWarnings(annotations, inAnnotations, warn);
    volumeWarnings(spec.volumes, inSpec, warn);
    referenceWarnings(spec, inSpec, warn);
    for (const resource of bytes) fractionWarnings(spec.overhead, resource, inSpec, 'overhead', warn);
    podProfileWarnings(spec, annotations, inAnnotations, warn);
    const hasProfiles = hasContainerAnnotations(annotations);
    const containers = containersOf(spec, inSpec);
    for (const each of containers) {
      if (hasProfiles) profileWarnings(each.container, annotations, inAnnotations, isTemplate, warn);
      containerWarnings(each, warn);
    }
    portWarnings(containers, warn);
    if ((spec.terminationGracePeriodSeconds ?? 0) < 0) warn(`${inSpec}.${negativePeriod}`);
    affinityWarnings(spec, inSpec, warn);
  };
}

const negativePeriod =
  'terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1';

function referenceWarnings({ hostAliases, imagePullSecrets = [] }: PodSpec, place: string, warn: Warn): void {
  repeated(hostAliases, 'hostAliases', 'ip', place, warn);
  repeated(imagePullSecrets, 'imagePullSecrets', 'name', place, warn);
  for (const [index, { name = '' }] of imagePullSecrets.entries()) {
    if (name === '') warn(`${place}.imagePullSecrets[${index}].name: invalid empty name ""`);
  }
}

function containersOf({ initContainers = [], containers }: PodSpec, place: string): PlacedContainer[] {
  const placed = (field: string) => (container: Container, index: number) => {
    return { place: `${place}.${field}[${index}]`, container };
  };
  const list = containers.map(placed('containers'));
  return initContainers.length === 0 ? list : [...initContainers.map(placed('initContainers')), ...list];
}

function containerWarnings({ place, container: { resources, env = [] } }: PlacedContainer, warn: Warn): void {
  for (const resource of bytes) {
    fractionWarnings(resources?.limits, resource, place, 'resources.limits', warn);
    fractionWarnings(resources?.requests, resource, place, 'resources.requests', warn);
  }
  if (env.length < 2) return;
  const names = new Set<string>();
  for (const { name } of env) names.add(name);
  // Usually there are no duplicates.
  if (names.size === env.length) return;
  for (const [index, variable] of env.entries()) {
    const { name } = variable;
    if (names.delete(name) || !hidesPrevious(variable)) continue;
    warn(
      `${place}.env[${index}]: hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`,
    );
  }
}

/** Whether the variable replaces its previous definition instead of extending it. */
function hidesPrevious({ name, value = '', valueFrom }: EnvVar): boolean {
  const reference = `$(${name})`;
  return valueFrom !== undefined || value === reference || !value.includes(reference);
}

function repeated<T extends object>(
  list: readonly T[] = [],
  listed: string,
  field: keyof T & string,
  place: string,
  warn: Warn,
): void {
  if (list.length < 2) return;
  const seen = new Set<unknown>();
  for (const [index, { [field]: value = '' }] of list.entries()) {
    if (seen.has(value)) warn(`${place}.${listed}[${index}].${field}: duplicate ${field} ${JSON.stringify(value)}`);
    seen.add(value);
  }
}

const inPod = podWarnings('');

/** Warnings for a new pod; updates get none. */
export function newPodWarnings(pod: Pod, warn: Warn, before: Pod | undefined): void {
  if (before !== undefined) return;
  nameWarnings(pod, "the Pod's hostname", warn);
  inPod(pod, warn);
}

export function nameWarnings({ metadata: { name } }: KubeObject, use: string, warn: Warn): void {
  const problem = dnsLabelProblem(name);
  if (problem === undefined) return;
  warn(
    `metadata.name: this is used in ${use}, which can result in surprising behavior; a DNS label is recommended: [${problem}]`,
  );
}
