// SPDX-License-Identifier: Apache-2.0
import type { NetworkPolicy } from '@forge/kube/kinds/builtin.ts';

/** A policy is decided again with every change of a pod or namespace: one of this size takes milliseconds. */
const largestSpec = 65_536;

const sizes = new WeakMap<NetworkPolicy, number>();

function sizeOf(policy: NetworkPolicy): number {
  const known = sizes.get(policy) ?? JSON.stringify(policy.spec ?? {}).length;
  sizes.set(policy, known);
  return known;
}

/** Why a policy is not enforced as it is; undefined when it is. */
export function policyProblem(policy: NetworkPolicy): string | undefined {
  const size = sizeOf(policy);
  if (size <= largestSpec) return undefined;
  return `The spec has ${size} characters, and the node enforces up to ${largestSpec}: the policy isolates its pods, and allows nothing. Split it into several policies.`;
}

/** The policy as it is enforced: without its rules when they are too many. */
export function enforceable(policy: NetworkPolicy): NetworkPolicy {
  if (policyProblem(policy) === undefined) return policy;
  const { podSelector, policyTypes } = policy.spec ?? {};
  return { ...policy, spec: { ...(podSelector && { podSelector }), ...(policyTypes && { policyTypes }) } };
}
