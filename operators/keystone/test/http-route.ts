// SPDX-License-Identifier: Apache-2.0
import { HTTPRoute } from '@forge/kube/third-party/gateway.ts';
import type { Keystone } from '../api/keystone.ts';
import { home, type KeystoneOperator } from './start-keystone-operator.ts';

/** A Gateway of another namespace. */
export const gateway: NonNullable<Keystone['spec']['gateway']> = {
  parentRef: { name: 'public-gateway', namespace: 'gateways', sectionName: 'https' },
  hostname: 'keystone.example.com',
};

type Parent = NonNullable<HTTPRoute['status']>['parents'][number];

/** The status that a Gateway controller sets on the route, for this parent and generation. */
export function verdict(status: 'True' | 'False', generation: number, parentRef: Parent['parentRef']): Parent {
  const lastTransitionTime = '2026-01-01T00:00:00Z';
  const reason = status === 'True' ? 'Accepted' : 'NotAllowedByListeners';
  return {
    parentRef,
    controllerName: 'example.com/gateway-controller',
    conditions: [{ type: 'Accepted', status, reason, message: '', lastTransitionTime, observedGeneration: generation }],
  };
}

/** The Gateway accepts the route as it is now. */
export async function acceptRoute({ cluster: { client } }: KeystoneOperator): Promise<void> {
  const { metadata } = await client.get(HTTPRoute, home);
  const parents = [verdict('True', metadata.generation ?? 0, gateway.parentRef)];
  await client.patch(HTTPRoute, home, 'merge', { status: { parents } }, { subresource: 'status' });
}
