// SPDX-License-Identifier: Apache-2.0
import { jsonEqual } from '@forge/kube/objects/json.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import type { Change } from '@forge/runtime/objects/change.ts';

/** A predicate of watches: the child appeared, vanished, changed its spec, owner or readiness, or is terminating. */
export function childPredicate<R extends KubeObject>(isReady: (child: R) => boolean) {
  return ({ before, after }: Change<R>): boolean => {
    if (before === undefined || after === undefined) return true;
    const [was, is] = [before.metadata, after.metadata];
    return (
      was.generation !== is.generation ||
      was.deletionTimestamp !== is.deletionTimestamp ||
      !jsonEqual(was.ownerReferences, is.ownerReferences) ||
      isReady(before) !== isReady(after)
    );
  };
}
