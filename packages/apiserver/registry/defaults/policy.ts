// SPDX-License-Identifier: Apache-2.0
import type { NetworkPolicySpec } from '@forge/kube/generated/types.ts';
import type { NetworkPolicy } from '@forge/kube/kinds/builtin.ts';
import { defaults, eachItem, chain } from './defaults.ts';
import { ports } from './endpoints.ts';

/** Defaults of network policies: policyTypes has Ingress, and Egress if there are egress rules. */
export const defaultNetworkPolicy = defaults<NetworkPolicy>(
  {},
  {
    spec: chain<NetworkPolicySpec>(
      (policy) => ({
        policyTypes: (policy.egress ?? []).length > 0 ? ['Ingress', 'Egress'] : ['Ingress'],
        ...policy,
      }),
      defaults({}, { ingress: eachItem(defaults({}, { ports })), egress: eachItem(defaults({}, { ports })) }),
    ),
  },
);
