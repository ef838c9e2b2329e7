// SPDX-License-Identifier: Apache-2.0
import type { Secret } from '@forge/kube/kinds/builtin.ts';
import { jsonEqual } from '@forge/kube/objects/json.ts';
import type { Change } from '@forge/runtime/objects/change.ts';

/**
 * A predicate of watches: something other than the finalizers of the Secret changed. K-ORC adds one to every Secret that it
 * logs in with, and adds it again whenever the operator removes it.
 */
export function secretPredicate({ before, after }: Change<Secret>): boolean {
  return before === undefined || after === undefined || !jsonEqual(unguarded(before), unguarded(after));
}

function unguarded({ metadata, ...content }: Secret) {
  const { finalizers: _, resourceVersion: __, managedFields: ___, ...rest } = metadata;
  return { ...content, metadata: rest };
}
