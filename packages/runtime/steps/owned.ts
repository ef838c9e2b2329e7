// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import type { Change } from '../objects/change.ts';

/** What a step may do with objects of a kind it owns; `remove` is also what sweeping needs, `adopt` goes with the first two. */
export type OwnedVerb = 'apply' | 'create' | 'adopt' | 'replace' | 'remove';

/** A kind of objects that a step writes, and how. */
export interface Owned {
  readonly kind: Kind;
  readonly verbs: readonly OwnedVerb[];
  /** The part of its objects that the step applies, when others apply parts of their own. */
  readonly part: string | undefined;
  /** Whether a change of an object is worth a look at its owner. */
  predicate(change: Change): boolean;
}

/** What narrows a step's ownership. */
interface OwnedOptions<R extends KubeObject> {
  /** A part of an object has one writer: its name is the suffix of the field manager. Default: the whole object. */
  part?: string;
  /** Default: every change. */
  predicate?: (change: Change<R>) => boolean;
}

/** Lets a step do these things with objects of the kind; a kind that stands alone in `owns` is only applied. */
export function owned<R extends KubeObject>(
  kind: Kind<R>,
  acts: OwnedVerb | readonly OwnedVerb[],
  { part, predicate = () => true }: OwnedOptions<R> = {},
): Owned {
  return { kind, verbs: typeof acts === 'string' ? [acts] : acts, part, predicate };
}

/** Whether the two are one kind, be it in different versions. */
export function isSameKind(a: Kind, b: Kind): boolean {
  return a.kind === b.kind && a.group === b.group;
}
