// SPDX-License-Identifier: Apache-2.0
import { int32, nonEmpty, text, type TextRule } from '@forge/kube/schema/field.ts';
import { rule } from '@forge/kube/schema/schema-types.ts';
import { Type } from 'typebox';
import { localReference } from './reference.ts';

export const cacheServer: TextRule = {
  pattern: '^([-a-zA-Z0-9._]+|\\[[0-9a-fA-F:.]+\\]):[0-9]{1,5}$',
  maxLength: 261,
  message: 'must be host:port of a Memcached server, for example memcached.example.com:11211',
};

export const exactlyOneCache = 'exactly one of clusterRef or servers must be set';

/** The backend that the API names by default; the other one survives the loss of a server. */
export const defaultBackend = 'dogpile.cache.pymemcache';
export const pooledBackend = 'oslo_cache.memcache_pool';

export const cache = Type.Object(
  {
    clusterRef: Type.Optional(
      localReference(
        'Memcached whose Service the operator uses (managed mode).',
        'Name of the Memcached resource, in the namespace of the Keystone.',
      ),
    ),
    backend: nonEmpty(
      `Backend of oslo.cache. Set ${pooledBackend}: with ${defaultBackend} no token can be validated while a ` +
        'Memcached server is down or frozen.',
      { default: defaultBackend },
    ),
    servers: Type.Optional(
      Type.Array(text(cacheServer, 'Server as host:port.'), {
        description: 'Memcached servers that exist already, as host:port (brownfield mode).',
        maxItems: 64,
      }),
    ),
    replicas: Type.Optional(
      int32('Accepted, since a ControlPlane copies its own cache settings here, and ignored.', { minimum: 1 }),
    ),
  },
  {
    description:
      'Memcached of Keystone: exactly one of clusterRef (managed) and servers (brownfield). Keystone puts no prefix on ' +
      'its cache keys, so every Keystone needs a Memcached of its own.',
    ...rule('has(self.clusterRef) != (has(self.servers) && size(self.servers) > 0)', exactlyOneCache),
  },
);
