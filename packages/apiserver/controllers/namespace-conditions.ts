// SPDX-License-Identifier: Apache-2.0
import type { NamespaceCondition } from '@forge/kube/generated/types.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';

/** What is left of one resource in a dying namespace. */
export interface Remainder {
  plural: string;
  group: string;
  objects: readonly KubeObject[];
}

/** What a dying namespace tells of itself: whether all could be deleted, what is left, and which finalizers hold it. */
export function namespaceConditions(
  remainders: readonly Remainder[],
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
    fine('NamespaceDeletionDiscoveryFailure', 'ResourcesDiscovered', 'All resources successfully discovered'),
    fine(
      'NamespaceDeletionGroupVersionParsingFailure',
      'ParsedGroupVersions',
      'All legacy kube types successfully parsed',
    ),
    fine(
      'NamespaceDeletionContentFailure',
      'ContentDeleted',
      'All content successfully deleted, may be waiting on finalization',
    ),
    left.length === 0
      ? fine('NamespaceContentRemaining', 'ContentRemoved', 'All content successfully removed')
      : told('NamespaceContentRemaining', 'SomeResourcesRemain', 'Some resources are remaining', left),
    held.length === 0
      ? fine('NamespaceFinalizersRemaining', 'ContentHasNoFinalizers', 'All content-preserving finalizers finished')
      : told(
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

function fine(type: string, reason: string, message: string): NamespaceCondition {
  return { type, status: 'False', reason, message };
}

function told(type: string, reason: string, message: string, what: readonly string[]): NamespaceCondition {
  return { type, status: 'True', reason, message: `${message}: ${what.toSorted().join(', ')}` };
}
