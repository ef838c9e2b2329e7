// SPDX-License-Identifier: Apache-2.0
import { ServiceAccount } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';

/**
 * A small change to an object that the step does not own: `patch` some of its fields, `release` its finalizers or owner
 * references, `delete` it, `deleteLabelled` all with certain labels, `requestToken` of a ServiceAccount, `rehearse` a
 * creation without keeping it.
 */
export type TouchVerb = 'patch' | 'release' | 'delete' | 'deleteCollection' | 'requestToken' | 'dryRunCreate';

/** A kind of objects that a step changes without owning them, and how. */
export interface Touched {
  readonly kind: Kind;
  readonly touches: readonly TouchVerb[];
}

/** Lets a step change objects of the kind in these ways. */
export function touched(kind: Kind, ...touches: readonly TouchVerb[]): Touched {
  return { kind, touches };
}

/** Lets a step ask for tokens of ServiceAccounts. */
export const tokens: Touched = touched(ServiceAccount, 'requestToken');
