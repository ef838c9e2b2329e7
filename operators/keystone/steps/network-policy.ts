// SPDX-License-Identifier: Apache-2.0
import { NetworkPolicy } from '@forge/kube/kinds/builtin.ts';
import { ready } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { namesOf } from '../api/names.ts';
import { networkPolicyReady } from '../conditions/network-policy.ts';
import { apiNetworkPolicy } from '../objects/network-policy.ts';
import { step } from './step.ts';

/** Isolates the API pods; none of them starts before their policy exists. */
export const networkPolicy = step({
  name: 'NetworkPolicy',
  condition: 'NetworkPolicyReady',
  owns: [owned(NetworkPolicy, ['apply', 'remove'])],
  async run({ object: keystone, services: { ownNamespace }, apply, remove }) {
    const isolation = keystone.spec.networkPolicy;
    if (isolation === undefined) {
      await remove(NetworkPolicy, namesOf(keystone).api);
      return ready(networkPolicyReady.notRequired());
    }
    await apply(apiNetworkPolicy(keystone, isolation, ownNamespace));
    return ready(networkPolicyReady.configured());
  },
});
