// SPDX-License-Identifier: Apache-2.0
import type { Endpoint, Service } from '@forge/kube/third-party/korc.ts';
import type { ControlPlane } from '../../api/control-plane.ts';
import { administratorAnnotation, catalogUrlOf, namesOf } from '../../api/names.ts';
import { korcVersion, loginBy, ownerMark } from './korc-object.ts';

/** Entries of the catalog are never deleted: without them nobody could log in to Keystone, not even K-ORC. */
const managed = { managementPolicy: 'managed', managedOptions: { onDelete: 'detach' } } as const;

/** The identity service, which bootstrap has created and K-ORC adopts. */
export function identityService(controlPlane: ControlPlane, administrator?: string): Service {
  const { identityService: name, cloudsYaml } = namesOf(controlPlane);
  return {
    apiVersion: korcVersion,
    kind: 'Service',
    metadata: { name, annotations: { ...ownerMark(controlPlane), ...registeredBy(administrator) } },
    spec: {
      ...managed,
      cloudCredentialsRef: loginBy(controlPlane, cloudsYaml),
      resource: { type: 'identity', name: 'keystone', enabled: true },
    },
  };
}

/** Its public endpoint. */
export function identityEndpoint(controlPlane: ControlPlane, administrator?: string): Endpoint {
  const { identityEndpoint: name, identityService: serviceRef, cloudsYaml } = namesOf(controlPlane);
  return {
    apiVersion: korcVersion,
    kind: 'Endpoint',
    metadata: { name, annotations: { ...ownerMark(controlPlane), ...registeredBy(administrator) } },
    spec: {
      ...managed,
      cloudCredentialsRef: loginBy(controlPlane, cloudsYaml),
      resource: { interface: 'public', url: catalogUrlOf(controlPlane), serviceRef, enabled: true },
    },
  };
}

const registeredBy = (administrator: string | undefined) =>
  administrator !== undefined && { [administratorAnnotation]: administrator };

/** Id of the administrator in the Keystone that an entry is registered in; undefined when that was not noted. */
export function administratorOf(live: Service | Endpoint | undefined): string | undefined {
  return live?.metadata.annotations?.[administratorAnnotation];
}
