// SPDX-License-Identifier: Apache-2.0
import type { Endpoint, Service } from '@forge/kube/third-party/korc.ts';
import type { ControlPlane } from '../../control-plane.ts';
import { catalogUrlOf, namesOf } from '../../names.ts';
import { korcVersion, loginBy } from './korc-object.ts';

/** What is in the catalog stays there: without it nobody could log in to Keystone, K-ORC included. */
const managed = { managementPolicy: 'managed', managedOptions: { onDelete: 'detach' } } as const;

/** The identity service, which bootstrap has created and K-ORC adopts. */
export function identityService(controlPlane: ControlPlane): Service {
  const { identityService: name, cloudsYaml } = namesOf(controlPlane);
  return {
    apiVersion: korcVersion,
    kind: 'Service',
    metadata: { name },
    spec: {
      ...managed,
      cloudCredentialsRef: loginBy(controlPlane, cloudsYaml),
      resource: { type: 'identity', name: 'keystone', enabled: true },
    },
  };
}

/** Its public endpoint. */
export function identityEndpoint(controlPlane: ControlPlane): Endpoint {
  const { identityEndpoint: name, identityService: serviceRef, cloudsYaml } = namesOf(controlPlane);
  return {
    apiVersion: korcVersion,
    kind: 'Endpoint',
    metadata: { name },
    spec: {
      ...managed,
      cloudCredentialsRef: loginBy(controlPlane, cloudsYaml),
      resource: { interface: 'public', url: catalogUrlOf(controlPlane), serviceRef, enabled: true },
    },
  };
}
