// SPDX-License-Identifier: Apache-2.0
import type { ResourceRequirements } from '@forge/kube/generated/types.ts';
import { fieldOf } from '@forge/kube/objects/json.ts';
import { nanosOf } from '@forge/kube/objects/quantity.ts';
import type { Rule } from '../inspection.ts';
import { given } from '../rule.ts';

const whole = 1_000_000_000n;

/** A valid quantity in billionths. */
export function amountOf(quantity: string | number): bigint {
  return nanosOf(String(quantity)) ?? 0n;
}

const native = new Set(['cpu', 'memory', 'ephemeral-storage']);

/** Whether it is a native resource, as opposed to an extended one. */
function isNative(resource: string): boolean {
  return native.has(resource) || resource.startsWith('hugepages-');
}

const amounts: Rule<Readonly<Record<string, string | number>>> = given((resources, at) => {
  for (const name in resources) {
    const quantity = resources[name] ?? 0;
    // Canonical quantities with a sign are negative.
    const isNegative = String(quantity).startsWith('-');
    if (isNative(name) && !isNegative) continue;
    at.inside(`[${name}]`, quantity, () => {
      if (!name.includes('/') && !isNative(name)) at.invalid(name, 'must be a standard resource for containers');
      if (isNegative) at.invalid(quantity, 'must be greater than or equal to 0');
      else if (amountOf(quantity) % whole !== 0n) at.invalid(quantity, 'must be an integer');
    });
  }
});

/** Requests must not exceed limits; for resources that cannot be overcommitted they must be equal. */
export const resources: Rule<ResourceRequirements> = given(({ limits = {}, requests = {} }, at) => {
  at.inside('limits', limits, amounts);
  at.inside('requests', requests, amounts);
  for (const name in requests) {
    const request = requests[name] ?? 0;
    const limit = fieldOf(limits, name);
    const shared = isNative(name);
    if (limit === undefined) {
      if (!shared) at.required('Limit must be set for non overcommitable resources', 'limits');
    } else if (!shared && amountOf(request) !== amountOf(limit)) {
      at.invalid(request, `must be equal to ${name} limit of ${limit}`, 'requests');
    } else if (amountOf(request) > amountOf(limit)) {
      at.invalid(request, `must be less than or equal to ${name} limit of ${limit}`, 'requests');
    }
  }
});
