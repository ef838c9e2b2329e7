// SPDX-License-Identifier: Apache-2.0
import { Namespace, type Pod } from '@forge/kube/kinds/builtin.ts';
import { jsonEqual } from '@forge/kube/objects/json.ts';
import { invalid } from '../messages/status-errors.ts';
import type { WriteStep } from '../request/write.ts';
import type { Store } from '../storage/store.ts';
import { checkedPod } from './pod-security/pod-check.ts';
import { isStricter, nameOf, policyOf, type LevelVersion } from './pod-security/policy.ts';
import { violationsOf } from './pod-security/violations.ts';

/** Validates the Pod Security labels of a namespace, and warns of existing pods that violate a new level. */
export const namespaceSecurity: WriteStep = ({ resource, subresource, object, before, warn }, { store }) => {
  if (resource.name !== 'namespaces' || subresource !== undefined) return object;
  const { name } = object.metadata;
  const { enforce, errors } = policyOf(object.metadata);
  const old = policyOf(before?.metadata ?? {});
  if (errors.length > 0 && !jsonEqual(errors, old.errors)) throw invalid(Namespace, name, errors);
  if (before !== undefined && mayAddViolations(enforce, old.enforce)) {
    for (const warning of violationsIn(store, name, enforce)) warn(warning);
  }
  return object;
};

function mayAddViolations(now: LevelVersion, before: LevelVersion): boolean {
  return now.version !== before.version || isStricter(now.level, before.level);
}

/** Violations of the pods in a namespace; pods with the same violations share a line. */
function violationsIn(store: Store, namespace: string, required: LevelVersion): string[] {
  const pods = Array.from(store.current.objects.withPrefix(`pods/${namespace}/`), ({ value }) => value as Pod);
  const byViolations = Map.groupBy(pods, (pod) =>
    violationsOf(checkedPod(pod), required)
      .map(({ reason }) => reason)
      .join(', '),
  );
  byViolations.delete('');
  if (byViolations.size === 0) return [];
  const lines = [...byViolations].map(
    ([reasons, [first, ...others]]) => `${first?.metadata.name}${and(others)}: ${reasons}`,
  );
  const title = `existing pods in namespace "${namespace}" violate the new PodSecurity enforce level "${nameOf(required)}"`;
  return [title, ...lines.toSorted()];
}

function and({ length }: readonly Pod[]): string {
  return length === 0 ? '' : ` (and ${length} other ${length === 1 ? 'pod' : 'pods'})`;
}
