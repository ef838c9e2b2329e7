// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';
import type { Strategy } from '../../resources/resource.ts';

/** Metadata that status updates cannot change. */
export const allMetadata = ['labels', 'annotations', 'finalizers', 'ownerReferences'] as const;

/** Erases the type parameter of a strategy for the table. */
export function strategy<T extends KubeObject>(rules: Strategy<T>): Strategy {
  return rules;
}
