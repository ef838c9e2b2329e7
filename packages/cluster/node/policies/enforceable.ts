// SPDX-License-Identifier: Apache-2.0
import type { NetworkPolicy } from '@forge/kube/kinds/builtin.ts';

/** Every change of a pod or namespace evaluates all policies again: one of this size takes milliseconds. */
const maxSpecLength = 65_536;

const sizes = new WeakMap<NetworkPolicy, number>();

function sizeOf(policy: NetworkPolicy): number {
  const known = sizes.get(policy) ?? JSON.stringify(policy.spec ?? {}).length;
  sizes.set(policy, known);
  return known;
}

/** Why a policy is not enforced as it is; undefined when it is. */
export function policyProblem(policy: NetworkPolicy): string | undefined {
  const size = sizeOf(policy);
  if (size <= maxSpecLength) return undefined;
  return `The spec has ${size} characters, and the node enforces up to ${maxSpecLength}: the policy isolates its pods, and allows nothing. Split it into several policies.`;
}

/** The policy as it is enforced: without rules when it is too large. */
export function enforceable(policy: NetworkPolicy): NetworkPolicy {
  if (policyProblem(policy) === undefined) return policy;
  const { podSelector, policyTypes } = policy.spec ?? {};
  return { ...policy, spec: { ...(podSelector && { podSelector }), ...(policyTypes && { policyTypes }) } };
}
