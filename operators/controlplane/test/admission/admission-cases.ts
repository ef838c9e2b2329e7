// SPDX-License-Identifier: Apache-2.0
import { controlPlaneFixture } from '../control-plane-fixture.ts';
import { immutable, invalid, required, same, spec, type AdmissionCase } from './admission-case.ts';

const { database, cache } = controlPlaneFixture().spec.infrastructure;
const interval =
  'must be a positive whole number of days (e.g. 24h, 168h); only daily and weekly Fernet rotation schedules are supported';
const nameMessage =
  'metadata.name must have at most 25 characters, lower-case letters, digits and -, beginning with a letter and ending with ' +
  'a letter or digit: the name of the Keystone is made from it';
const oneDatabase = 'exactly one of clusterRef or host must be set';
const oneCache = 'exactly one of clusterRef or servers must be set';
const release = 'must match the OpenStack release pattern ^\\d{4}\\.\\d$ (e.g. 2025.2)';
const withHost = { host: 'db.example', clusterRef: null };
const withServers = { servers: ['cache-0:11211'], clusterRef: null };

const { cloudsYaml, adminPassword, databaseSecret } = {
  cloudsYaml: 'korc.adminCredential.cloudCredentialsRef.secretName',
  adminPassword: 'korc.adminCredential.passwordSecretRef.name',
  databaseSecret: 'infrastructure.database.secretRef.name',
};

const madeSecret = (field: string, secret: string) =>
  same(
    `${secret} as ${field}`,
    spec(field, secret),
    invalid(field, secret, `Secret ${secret} is made by an operator for another purpose; name another Secret`),
  );

const sharedSecret = (field: string, other: string, secret: string, changed = field) =>
  same(
    `${secret} as ${field} and as ${other}`,
    spec(changed, secret),
    invalid(field, secret, `Secret ${secret} is named by spec.${other}, too; give each field a Secret of its own`),
  );

const secretCases: readonly AdmissionCase[] = [
  ...[
    'admin-app-credential',
    'admin-password-cloud',
    'keystone-db-credentials',
    'keystone-admin-credentials',
    'keystone-digest-key',
    'keystone-db-connection',
    'keystone-fernet-keys',
    'keystone-fernet-keys-rotation',
    'keystone-credential-keys',
    'keystone-credential-keys-rotation',
  ].map((suffix) => madeSecret(cloudsYaml, `controlplane-${suffix}`)),
  madeSecret(cloudsYaml, 'openstack-db-root'),
  madeSecret(adminPassword, 'controlplane-admin-password-cloud'),
  madeSecret(databaseSecret, 'controlplane-keystone-db-credentials'),
  sharedSecret(cloudsYaml, adminPassword, 'keystone-admin'),
  sharedSecret(cloudsYaml, databaseSecret, 'keystone-db'),
  sharedSecret(adminPassword, databaseSecret, 'keystone-db'),
  // As the name of clouds.yaml counts that is empty.
  { ...sharedSecret(cloudsYaml, adminPassword, 'k-orc-clouds-yaml', adminPassword), before: {} },
];

const ownCases: readonly AdmissionCase[] = [
  ...['controlplane-of-my-company', '1st', 'a.b', 'a-'].map((name) => ({
    name: `the name ${name}, from which no Keystone can be named`,
    change: { metadata: { name } },
    webhook: ['metadata.name', `Invalid value: "${name}": ${nameMessage}`] as const,
    schema: ['<nil>', nameMessage] as const,
  })),
  ...['2025', '2025.10', 'latest', ''].map((value): AdmissionCase => ({
    name: `the release "${value}"`,
    change: spec('openStackRelease', value),
    webhook: invalid('openStackRelease', value, release),
    schema: ['spec.openStackRelease', "should match '^\\d{4}\\.\\d$'"],
  })),
  same(
    'two databases',
    spec('infrastructure.database.host', 'db.example'),
    invalid('infrastructure.database', { ...database, host: 'db.example' }, oneDatabase),
  ),
  same(
    'no database',
    spec('infrastructure.database.clusterRef', null),
    invalid('infrastructure.database', { ...database, clusterRef: undefined }, oneDatabase),
  ),
  same(
    'two database servers',
    spec('infrastructure.database.replicas', 2),
    invalid(
      'infrastructure.database.replicas',
      2,
      'database replicas must be 1 (standalone) or >=3 (Galera needs quorum); 2 cannot hold a majority',
    ),
  ),
  same(
    'four database servers',
    spec('infrastructure.database.replicas', 4),
    invalid(
      'infrastructure.database.replicas',
      4,
      'database replicas must be odd: mariadb-operator refuses an even number of Galera nodes',
    ),
  ),
  same(
    'two caches',
    spec('infrastructure.cache.servers', ['cache-0:11211']),
    invalid('infrastructure.cache', { ...cache, servers: ['cache-0:11211'] }, oneCache),
  ),
  same(
    'no cache',
    spec('infrastructure.cache.clusterRef', null),
    invalid('infrastructure.cache', { ...cache, clusterRef: undefined }, oneCache),
  ),
  {
    name: 'no name of the password Secret',
    change: spec('korc.adminCredential.passwordSecretRef.name', ''),
    webhook: required('korc.adminCredential.passwordSecretRef.name', 'passwordSecretRef.name must be set'),
    schema: ['spec.korc.adminCredential.passwordSecretRef.name', 'must be the name of an object'],
  },
  ...Object.entries({
    '5h': '5h0m0s',
    '24h1m': '24h1m0s',
    '36h': '36h0m0s',
    '0s': '0s',
    '-24h': '-24h0m0s',
    '7d': '7d',
  }).map(([value, shown]): AdmissionCase => ({
    name: `the rotation interval ${value}`,
    change: spec('services.keystone.rotationInterval', value),
    webhook: invalid('services.keystone.rotationInterval', shown, interval),
    schema: ['spec.services.keystone.rotationInterval', interval],
  })),
  {
    name: 'a rotation interval that is off by a microsecond',
    change: spec('services.keystone.rotationInterval', '24h1us'),
    webhook: invalid('services.keystone.rotationInterval', '24h0m0.000001s', interval),
    schema: undefined,
  },
  {
    name: 'a gateway without a host name',
    change: spec('services.keystone.gateway', { parentRef: { name: 'gw' }, hostname: '' }),
    webhook: required('services.keystone.gateway.hostname', 'must be set when a gateway is configured'),
    schema: ['spec.services.keystone.gateway.hostname', 'must be a host name'],
  },
  ...['global', 'services.keystone.policyOverrides'].flatMap((path): AdmissionCase[] => [
    {
      name: `a rule without a name in ${path}`,
      change: spec(path, { rules: { '': 'role:admin' } }),
      webhook: required(`${path}.rules[]`, 'policy rule name must not be empty'),
      schema: [`spec.${path}`, 'policy rule name must not be empty'],
    },
    {
      name: `an empty rule in ${path}`,
      change: spec(path, { rules: { 'identity:list_users': '' } }),
      webhook: required(`${path}.rules[identity:list_users]`, 'policy rule value must not be empty'),
      schema: [`spec.${path}`, 'policy rule value must not be empty'],
    },
  ]),
];

const changeCases: readonly AdmissionCase[] = [
  {
    ...same(
      'a managed database that becomes the user’s own',
      spec('infrastructure.database', withHost),
      invalid(
        'infrastructure.database',
        { database: 'keystone', secretRef: { name: 'keystone-db' }, replicas: 3, host: 'db.example' },
        'database mode (managed clusterRef vs brownfield host) is immutable',
      ),
    ),
    before: {},
  },
  immutable(
    'another MariaDB',
    'infrastructure.database.clusterRef.name',
    'other',
    'managed database clusterRef.name is immutable',
  ),
  immutable('another database', 'infrastructure.database.database', 'other', 'database name is immutable'),
  immutable(
    'another number of database servers',
    'infrastructure.database.replicas',
    5,
    'database replicas is immutable after creation (toggling Galera or scaling down a live cluster is destructive)',
  ),
  {
    ...same(
      'a managed cache that becomes the user’s own',
      spec('infrastructure.cache', withServers),
      invalid(
        'infrastructure.cache',
        { backend: 'dogpile.cache.pymemcache', replicas: 3, servers: ['cache-0:11211'] },
        'cache mode (managed clusterRef vs brownfield servers) is immutable',
      ),
    ),
    before: {},
  },
  immutable(
    'another Memcached',
    'infrastructure.cache.clusterRef.name',
    'other',
    'managed cache clusterRef.name is immutable',
  ),
  immutable(
    'another Secret with clouds.yaml',
    'korc.adminCredential.cloudCredentialsRef.secretName',
    'other',
    'cloudCredentialsRef.secretName is immutable',
  ),
  immutable('another region', 'region', 'RegionTwo', 'region is immutable'),
  ...['2025.1', '2024.2'].map((older) => ({
    ...immutable(
      `the older release ${older}`,
      'openStackRelease',
      older,
      `openStackRelease downgrade from "2025.2" to "${older}" is not permitted; Keystone DB migrations are not reversible`,
    ),
    // Keystone's own condition says it: the schema does not know what is installed.
    schema: undefined,
  })),
];

/** Every rule that can be checked on a ControlPlane alone. */
export const admissionCases: readonly AdmissionCase[] = [...ownCases, ...secretCases, ...changeCases];
