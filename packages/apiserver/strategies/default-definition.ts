// SPDX-License-Identifier: Apache-2.0
import type { CustomResourceDefinition } from '@forge/kube/builtin.ts';

/** A definition with the names that follow from its kind. */
export function defaultDefinition(definition: CustomResourceDefinition): CustomResourceDefinition {
  const { spec } = definition;
  const { kind } = spec.names;
  return {
    ...definition,
    spec: {
      conversion: { strategy: 'None' },
      ...spec,
      names: { singular: kind.toLowerCase(), listKind: `${kind}List`, ...spec.names },
    },
  };
}

/** What holds a dying definition back until nothing of what it defined is left. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

/** A definition whose deletion has begun: it waits for its objects. */
export function endDefinition(definition: CustomResourceDefinition): CustomResourceDefinition {
  const { metadata } = definition;
  const others = (metadata.finalizers ?? []).filter((finalizer) => finalizer !== cleanupFinalizer);
  return { ...definition, metadata: { ...metadata, finalizers: [...others, cleanupFinalizer] } };
}
