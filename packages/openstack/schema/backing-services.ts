// SPDX-License-Identifier: Apache-2.0
import { exactlyOne, hasItems, immutableMode, isSet } from '@forge/kube/schema/checked-rule.ts';
import { int32, text, type TextRule } from '@forge/kube/schema/field.ts';
import { Type } from 'typebox';

export const exactlyOneDatabase = exactlyOne(
  isSet('clusterRef'),
  isSet('host'),
  'exactly one of clusterRef or host must be set',
);
export const databaseModeImmutable = immutableMode(
  'clusterRef',
  'database mode (managed clusterRef vs brownfield host) is immutable',
);
export const exactlyOneCache = exactlyOne(
  isSet('clusterRef'),
  hasItems('servers'),
  'exactly one of clusterRef or servers must be set',
);

export const databaseHost: TextRule = {
  pattern: '^([a-zA-Z0-9]([-a-zA-Z0-9.]*[a-zA-Z0-9])?|\\[[0-9a-fA-F:.]+\\])$',
  maxLength: 253,
  message:
    'must be a host name or an IP address (IPv6 in brackets), without scheme and port, for example db.example.com',
};

export const defaultPort = 3306;

/** Port of a database server. */
export const databasePort = Type.Optional(
  int32(`Port of the database server; ${defaultPort} when absent.`, { minimum: 1, maximum: 65_535 }),
);

export const cacheServer: TextRule = {
  pattern: '^([-a-zA-Z0-9._]+|\\[[0-9a-fA-F:.]+\\]):[0-9]{1,5}$',
  maxLength: 261,
  message: 'must be host:port of a Memcached server, for example memcached.example.com:11211',
};

/** Memcached servers of the user. */
export const cacheServers = Type.Optional(
  Type.Array(text(cacheServer, 'Server as host:port.'), {
    description: 'Memcached servers that exist already, as host:port (brownfield mode).',
    maxItems: 64,
  }),
);

/** The backend that the API names by default; the other one survives the loss of a server. */
export const defaultBackend = 'dogpile.cache.pymemcache';
export const pooledBackend = 'oslo_cache.memcache_pool';

export const backendDescription =
  `Backend of oslo.cache. Set ${pooledBackend}: with ${defaultBackend} no token can be validated while a ` +
  'Memcached server is down or frozen.';
