// SPDX-License-Identifier: Apache-2.0
import type { LabelSelector } from '@forge/kube/generated/types.ts';

/** A label selector as Go prints it, for messages of Kubernetes. */
export function goSelector(selector: LabelSelector | undefined): string {
  if (selector === undefined) return 'nil';
  const { matchLabels = {}, matchExpressions = [] } = selector;
  const labels = Object.entries(matchLabels).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const expressions = matchExpressions.map(
    ({ key, operator, values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`,
  );
  const pairs = labels.map(([key, value]) => `${key}: ${value},`).join('');
  return (
    `&LabelSelector{MatchLabels:map[string]string{${pairs}},` +
    `MatchExpressions:[]LabelSelectorRequirement{${expressions.join('')}},}`
  );
}
