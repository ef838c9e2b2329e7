// SPDX-License-Identifier: Apache-2.0
import { int32, nonEmpty } from '@forge/kube/schema/field.ts';
import { rules } from '@forge/kube/schema/rules.ts';
import {
  backendDescription,
  cacheServers,
  defaultBackend,
  exactlyOneCache,
} from '@forge/openstack/schema/backing-services.ts';
import { localReference } from '@forge/openstack/schema/reference.ts';
import { Type } from 'typebox';

export const cache = Type.Object(
  {
    clusterRef: Type.Optional(
      localReference(
        'Memcached whose Service the operator uses (managed mode).',
        'Name of the Memcached resource, in the namespace of the Keystone.',
      ),
    ),
    backend: nonEmpty(backendDescription, { default: defaultBackend }),
    servers: cacheServers,
    replicas: Type.Optional(
      int32('Accepted, since a ControlPlane copies its own cache settings here, and ignored.', { minimum: 1 }),
    ),
  },
  {
    description:
      'Memcached of Keystone: exactly one of clusterRef (managed) and servers (brownfield). Keystone puts no prefix on ' +
      'its cache keys, so every Keystone needs a Memcached of its own.',
    ...rules(exactlyOneCache),
  },
);
