// SPDX-License-Identifier: Apache-2.0
import type { NodeAffinity, PodAffinity, PodAffinityTerm, PodSpec } from '@forge/kube/generated/types.ts';
import type { Warn } from '../resources/warn.ts';
import { labelWarnings, selectorWarnings, termWarnings } from './node-label-warnings.ts';

const required = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';

/** Warns of deprecated node labels in node selection, and of empty label selectors. */
export function placementWarnings(spec: PodSpec, place: string, warn: Warn): void {
  const { nodeSelector, affinity, topologySpreadConstraints = [] } = spec;
  if (nodeSelector !== undefined) selectorWarnings(nodeSelector, `${place}.nodeSelector`, warn);
  if (affinity?.nodeAffinity !== undefined) nodeWarnings(affinity.nodeAffinity, `${place}.affinity.nodeAffinity`, warn);
  for (const [index, { topologyKey, labelSelector }] of topologySpreadConstraints.entries()) {
    const constraint = `${place}.topologySpreadConstraints[${index}]`;
    labelWarnings(topologyKey, `${constraint}.topologyKey`, warn);
    if (labelSelector === undefined) warn(matchesNothing(constraint));
  }
}

function nodeWarnings(affinity: NodeAffinity, place: string, warn: Warn): void {
  for (const [index, term] of (affinity[required]?.nodeSelectorTerms ?? []).entries()) {
    termWarnings(term, `${place}.${required}.nodeSelectorTerms[${index}]`, warn);
  }
  for (const [index, { preference }] of (affinity[preferred] ?? []).entries()) {
    termWarnings(preference, `${place}.${preferred}[${index}].preference`, warn);
  }
}

/** Warns of pod affinity terms that match no pods. */
export function affinityWarnings({ affinity }: PodSpec, place: string, warn: Warn): void {
  if (affinity === undefined) return;
  termsWarnings(affinity.podAffinity, `${place}.affinity.podAffinity`, warn);
  termsWarnings(affinity.podAntiAffinity, `${place}.affinity.podAntiAffinity`, warn);
}

function termsWarnings(affinity: PodAffinity = {}, place: string, warn: Warn): void {
  for (const [index, term] of (affinity[required] ?? []).entries()) {
    if (isEmpty(term)) warn(matchesNothing(`${place}.${required}[${index}]`));
  }
  for (const [index, { podAffinityTerm }] of (affinity[preferred] ?? []).entries()) {
    if (isEmpty(podAffinityTerm)) warn(matchesNothing(`${place}.${preferred}[${index}].podAffinityTerm`));
  }
}

function isEmpty({ labelSelector }: PodAffinityTerm): boolean {
  return labelSelector === undefined;
}

function matchesNothing(place: string): string {
  return `${place}.labelSelector: a null labelSelector results in matching no pod`;
}
