// SPDX-License-Identifier: Apache-2.0
import { ServiceAccount } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';

/**
 * A small change to an object that the step does not own: `patch` some of its fields, `release` its finalizers or owner
 * references, `delete` it, `deleteCollection` by labels, `requestToken` of a ServiceAccount, `dryRunCreate` an object.
 */
export type TouchVerb = 'patch' | 'release' | 'delete' | 'deleteCollection' | 'requestToken' | 'dryRunCreate';

/** A kind whose objects a step changes without owning them, and how. */
export interface Touched {
  readonly kind: Kind;
  readonly touches: readonly TouchVerb[];
}

/** Allows a step these changes on objects of the kind. */
export function touched(kind: Kind, ...touches: readonly TouchVerb[]): Touched {
  return { kind, touches };
}

/** Allows a step to request tokens of ServiceAccounts. */
export const tokens: Touched = touched(ServiceAccount, 'requestToken');
