// SPDX-License-Identifier: Apache-2.0
import type { NamespaceCondition } from '@forge/kube/generated/types.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';

/** Remaining objects of a resource in a terminating namespace. */
export interface RemainingContent {
  plural: string;
  group: string;
  objects: readonly KubeObject[];
}

/** Conditions of a terminating namespace: deletion failures, remaining content and finalizers. */
export function namespaceConditions(
  remainders: readonly RemainingContent[],
  before: readonly NamespaceCondition[],
  now: string,
): NamespaceCondition[] {
  const left = remainders
    .filter(({ objects }) => objects.length > 0)
    .map(({ plural, group, objects }) => `${plural}.${group} has ${objects.length} resource instances`);
  const finalizers = Map.groupBy(
    remainders.flatMap(({ objects }) => objects.flatMap(({ metadata }) => metadata.finalizers ?? [])),
    (finalizer) => finalizer,
  );
  const held = [...finalizers].map(([finalizer, { length }]) => `${finalizer} in ${length} resource instances`);
  const conditions = [
    noProblem('NamespaceDeletionDiscoveryFailure', 'ResourcesDiscovered', 'All resources successfully discovered'),
    noProblem(
      'NamespaceDeletionGroupVersionParsingFailure',
      'ParsedGroupVersions',
      'All legacy kube types successfully parsed',
    ),
    noProblem(
      'NamespaceDeletionContentFailure',
      'ContentDeleted',
      'All content successfully deleted, may be waiting on finalization',
    ),
    left.length === 0
      ? noProblem('NamespaceContentRemaining', 'ContentRemoved', 'All content successfully removed')
      : problem('NamespaceContentRemaining', 'SomeResourcesRemain', 'Some resources are remaining', left),
    held.length === 0
      ? noProblem(
          'NamespaceFinalizersRemaining',
          'ContentHasNoFinalizers',
          'All content-preserving finalizers finished',
        )
      : problem(
          'NamespaceFinalizersRemaining',
          'SomeFinalizersRemain',
          'Some content in the namespace has finalizers remaining',
          held,
        ),
  ];
  return conditions.map((condition) => {
    const same = before.find(({ type, status }) => type === condition.type && status === condition.status);
    return { ...condition, lastTransitionTime: same?.lastTransitionTime ?? now };
  });
}

function noProblem(type: string, reason: string, message: string): NamespaceCondition {
  return { type, status: 'False', reason, message };
}

function problem(type: string, reason: string, message: string, what: readonly string[]): NamespaceCondition {
  return { type, status: 'True', reason, message: `${message}: ${what.toSorted().join(', ')}` };
}
