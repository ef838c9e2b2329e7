// SPDX-License-Identifier: Apache-2.0
import { nameRule, invalid, path, same, spec, text, type AdmissionCase } from './admission-case.ts';

const oneDatabase = 'exactly one of clusterRef or host must be set';
const oneCache = 'exactly one of clusterRef or servers must be set';
const clusterRef = { name: 'backing' };
const withHost = { host: 'db.example', database: 'keystone', secretRef: { name: 'keystone-db' } };
const withServers = { backend: 'oslo_cache.memcache_pool', servers: ['cache-0:11211', 'cache-1:11211'] };

/** Texts that break the rule of their field. */
export const textsCases: readonly AdmissionCase[] = [
  text(
    'spec.image.repository',
    'c5c3/keystone:2025.2',
    'must be an image repository without tag or digest, for example c5c3/keystone or registry.example.com:5000/c5c3/keystone',
  ),
  text(
    'spec.image.tag',
    '',
    'must be an image tag, for example 2025.2: letters, digits, _, - and ., not beginning with - or .',
  ),
  text(
    'spec.image.tag',
    '2025 2',
    'must be an image tag, for example 2025.2: letters, digits, _, - and ., not beginning with - or .',
  ),
  text(
    'spec.database.host',
    'mysql://db.example:3306',
    'must be a host name or an IP address (IPv6 in brackets), without scheme and port, for example db.example.com',
  ),
  text(
    'spec.database.database',
    'a/b',
    'must be the name of a MariaDB database: letters, digits, _ and -, at most 64 of them',
  ),
  text('spec.database.secretRef.name', 'Keystone', nameRule),
  text('spec.database.secretRef.key', 'pass word', 'must be a key of a Secret: letters, digits, -, _ and .'),
  text('spec.bootstrap.adminPasswordSecretRef.name', '', nameRule),
  text('spec.priorityClassName', 'Very High', nameRule),
  same(
    'a cache server without a port',
    spec({ cache: { servers: ['cache-0'] } }),
    invalid(
      'spec.cache.servers[0]',
      'cache-0',
      'must be host:port of a Memcached server, for example memcached.example.com:11211',
    ),
  ),
  {
    name: 'a name from which no CronJob can be named',
    change: { metadata: { name: 'k'.repeat(35) } },
    webhook: invalid('metadata.name', 'k'.repeat(35), nameMessage()),
    schema: ['<nil>', nameMessage()],
  },
  ...['keystone.example.com', 'ftp://keystone.example.com', 'https://', 'https://a b/v3', '/v3'].map((value) =>
    text(
      'spec.bootstrap.publicEndpoint',
      value,
      'must be an http or https URL with a host, for example https://keystone.example.com/v3',
    ),
  ),
];

function nameMessage(): string {
  return (
    'metadata.name must have at most 34 characters, lower-case letters, digits and -, beginning with a letter and ending with ' +
    'a letter or digit: names of CronJobs are made from it'
  );
}

const madeSecret = (secret: string) =>
  `Secret ${secret} is made by an operator for another purpose; name another Secret`;

/** A text that cannot change. */
const immutable = (field: string, value: string, detail: string): AdmissionCase => ({
  ...same(`another ${field}`, path(field, value), invalid(field, value, detail)),
  before: {},
});

/** Database and cache. */
export const backingCases: readonly AdmissionCase[] = [
  same(
    'no database',
    spec({ database: { host: null } }),
    invalid('spec.database', { ...withHost, host: undefined }, oneDatabase),
  ),
  same(
    'two databases',
    spec({ database: { clusterRef } }),
    invalid('spec.database', { ...withHost, clusterRef }, oneDatabase),
  ),
  {
    ...same(
      'a database that becomes managed',
      spec({ database: { host: null, clusterRef } }),
      invalid(
        'spec.database',
        { database: 'keystone', secretRef: { name: 'keystone-db' }, clusterRef },
        'database mode (managed clusterRef vs brownfield host) is immutable',
      ),
    ),
    before: {},
  },
  ...[
    'digest-key',
    'db-connection',
    'fernet-keys',
    'credential-keys',
    'fernet-keys-rotation',
    'credential-keys-rotation',
  ]
    .map((suffix) => `identity-${suffix}`)
    .flatMap((secret) => [
      text('spec.database.secretRef.name', secret, madeSecret(secret)),
      text('spec.bootstrap.adminPasswordSecretRef.name', secret, madeSecret(secret)),
    ]),
  immutable('spec.database.database', 'other', 'database name is immutable'),
  immutable('spec.bootstrap.adminUser', 'root', 'bootstrap.adminUser is immutable'),
  immutable('spec.bootstrap.region', 'EU-West', 'bootstrap.region is immutable'),
  same('no cache', spec({ cache: { servers: [] } }), invalid('spec.cache', { ...withServers, servers: [] }, oneCache)),
  same('two caches', spec({ cache: { clusterRef } }), invalid('spec.cache', { ...withServers, clusterRef }, oneCache)),
];
