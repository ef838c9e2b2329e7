// SPDX-License-Identifier: Apache-2.0
import type { PodAffinity, PodAffinityTerm, PodSpec } from '@forge/kube/generated/types.ts';
import { labelWarnings, selectorWarnings, termWarnings } from './node-label-warnings.ts';

const required = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';

/** Warns of what a pod says about its nodes in words that are out of use. */
export function* placementWarnings(spec: PodSpec, place: string): Generator<string> {
  const { nodeAffinity } = spec.affinity ?? {};
  yield* selectorWarnings(spec.nodeSelector, `${place}.nodeSelector`);
  const affinity = `${place}.affinity.nodeAffinity`;
  for (const [index, term] of (nodeAffinity?.[required]?.nodeSelectorTerms ?? []).entries()) {
    yield* termWarnings(term, `${affinity}.${required}.nodeSelectorTerms[${index}]`);
  }
  for (const [index, { preference }] of (nodeAffinity?.[preferred] ?? []).entries()) {
    yield* termWarnings(preference, `${affinity}.${preferred}[${index}].preference`);
  }
  for (const [index, { topologyKey, labelSelector }] of (spec.topologySpreadConstraints ?? []).entries()) {
    const constraint = `${place}.topologySpreadConstraints[${index}]`;
    yield* labelWarnings(topologyKey, `${constraint}.topologyKey`);
    if (labelSelector === undefined) yield matchesNothing(constraint);
  }
}

/** Warns of pods that shall be near or far, and are none. */
export function* affinityWarnings({ affinity }: PodSpec, place: string): Generator<string> {
  yield* termsWarnings(affinity?.podAffinity, `${place}.affinity.podAffinity`);
  yield* termsWarnings(affinity?.podAntiAffinity, `${place}.affinity.podAntiAffinity`);
}

function* termsWarnings(affinity: PodAffinity = {}, place: string): Generator<string> {
  for (const [index, term] of (affinity[required] ?? []).entries()) {
    if (isEmpty(term)) yield matchesNothing(`${place}.${required}[${index}]`);
  }
  for (const [index, { podAffinityTerm }] of (affinity[preferred] ?? []).entries()) {
    if (isEmpty(podAffinityTerm)) yield matchesNothing(`${place}.${preferred}[${index}].podAffinityTerm`);
  }
}

function isEmpty({ labelSelector }: PodAffinityTerm): boolean {
  return labelSelector === undefined;
}

function matchesNothing(place: string): string {
  return `${place}.labelSelector: a null labelSelector results in matching no pod`;
}
