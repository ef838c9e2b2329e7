// SPDX-License-Identifier: Apache-2.0
import { ServiceAccount } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';

/**
 * A small change to an object that the step does not own: `patch` some of its fields, `release` its finalizers or owner
 * references, `delete` it, `deleteCollection` by labels, `requestToken` of a ServiceAccount, `dryRunCreate` an object.
 */
export type Modification = 'patch' | 'release' | 'delete' | 'deleteCollection' | 'requestToken' | 'dryRunCreate';

/** A kind whose objects a step changes without owning them, and how. */
export interface Modified {
  readonly kind: Kind;
  readonly modifies: readonly Modification[];
}

/** Allows a step these changes on objects of the kind. */
export function modified(kind: Kind, ...modifies: readonly Modification[]): Modified {
  return { kind, modifies };
}

/** Allows a step to request tokens of ServiceAccounts. */
export const tokens: Modified = modified(ServiceAccount, 'requestToken');
