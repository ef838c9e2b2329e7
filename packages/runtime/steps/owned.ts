// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import type { Change } from '../objects/change.ts';
import { watchSelector, type WatchSelector } from './watch-selector.ts';

/**
 * What a step may do with objects of a kind it owns; `sweep` needs `remove`; `adopt` goes with `apply` and `create`,
 * `transferFields` with `apply`.
 */
export type OwnedVerb = 'apply' | 'create' | 'adopt' | 'transferFields' | 'replace' | 'remove';

/** A kind whose objects a step writes, and how. */
export interface Owned {
  readonly kind: Kind;
  readonly verbs: readonly OwnedVerb[];
  /** The part of its objects that the step applies, when other steps apply other parts. */
  readonly part: string | undefined;
  /** Which objects are watched; the step writes no others. Undefined for all. */
  readonly selector: WatchSelector | undefined;
  /** What Roles of ours allow others to do: the server lets nobody give away access that he does not have. */
  readonly grants: readonly Grant[];
  /** Whether a change of an object enqueues its owner. */
  predicate(change: Change): boolean;
}

/** Access to objects of a kind that a Role gives. */
export interface Grant {
  readonly kind: Kind;
  readonly verbs: readonly string[];
}

/** Restricts a step's ownership. */
interface OwnedOptions<R extends KubeObject> {
  /** A part of an object has one writer: its name is the suffix of the field manager. Default: the whole object. */
  part?: string;
  /** A label selector: only what it selects is watched and cached, and all that the step writes must match it. Default: all. */
  selector?: string;
  /** What the Roles among them allow. Default: nothing. */
  grants?: readonly Grant[];
  /** Default: every change. */
  predicate?: (change: Change<R>) => boolean;
}

/** Allows a step these verbs on objects of the kind; a bare kind in `owns` is only applied. */
export function owned<R extends KubeObject>(
  kind: Kind<R>,
  acts: OwnedVerb | readonly OwnedVerb[],
  { part, selector, grants = [], predicate = () => true }: OwnedOptions<R> = {},
): Owned {
  const verbs = typeof acts === 'string' ? [acts] : acts;
  return { kind, verbs, part, selector: watchSelector(selector), grants, predicate };
}

/** Whether the two are the same kind, possibly in different versions. */
export function isSameKind(a: Kind, b: Kind): boolean {
  return a.kind === b.kind && a.group === b.group;
}
