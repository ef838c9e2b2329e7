// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { jsonEqual } from '@forge/kube/objects/json.ts';
import type { Controller } from '@forge/runtime/controller/controller.ts';
import type { Backoff } from '@forge/runtime/environment/backoff.ts';
import type { Change } from '@forge/runtime/objects/change.ts';

/** Emulates another operator: a manager that runs its controllers, without resync, behaves like that operator. */
export interface StandIn {
  readonly name: string;
  /** The kinds whose CRDs the operator installs. */
  readonly kinds: readonly Kind[];
  readonly controllers: readonly Controller[];
  /** Its backoff after an error. */
  readonly backoff: Backoff;
}

/** Whether more than status, finalizers and managedFields changed, for operators that ignore status updates. */
export function specOrMetadataPredicate({ before, after }: Change): boolean {
  if (before === undefined || after === undefined) return true;
  const [was, is] = [before.metadata, after.metadata];
  return (
    was.uid !== is.uid ||
    was.generation !== is.generation ||
    was.deletionTimestamp !== is.deletionTimestamp ||
    !jsonEqual(was.labels, is.labels) ||
    !jsonEqual(was.annotations, is.annotations)
  );
}
