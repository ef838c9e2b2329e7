// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kind.ts';

/** What a step may do with objects of a kind it owns; `remove` is also what sweeping needs. */
export type Act = 'apply' | 'create' | 'replace' | 'remove';

/** A kind of objects that a step writes, and how. */
export interface Owned {
  readonly kind: Kind;
  readonly acts: readonly Act[];
}

/** Lets a step do these things with objects of the kind; a kind that stands alone in `owns` is only applied. */
export function owned(kind: Kind, ...acts: readonly Act[]): Owned {
  return { kind, acts };
}

/** Whether the two are one kind, be it in different versions. */
export function isSameKind(a: Kind, b: Kind): boolean {
  return a.kind === b.kind && a.group === b.group;
}
