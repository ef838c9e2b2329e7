// SPDX-License-Identifier: Apache-2.0
import type {
  DeploymentStrategy,
  ResourceRequirements,
  TopologySpreadConstraint,
} from '@forge/kube/generated/types.ts';
import { kind, type ObjectOf } from '@forge/kube/kinds/kind.ts';
import { definitionSchema } from '@forge/kube/schema/kind-schema.ts';
import { choice, conditions, embedded, mapOf, rule } from '@forge/kube/schema/schema-types.ts';
import { Type } from 'typebox';

const image = Type.Object(
  {
    repository: Type.String({ description: 'Container image repository, for example c5c3/keystone.' }),
    tag: Type.String({ description: 'Image tag: the OpenStack release, for example 2025.2.' }),
  },
  { description: 'Keystone container image.' },
);

const localReference = Type.Object({ name: Type.String() });

const secretRef = Type.Object({
  name: Type.String({ description: 'Name of the Secret.' }),
  key: Type.Optional(Type.String({ description: "Key within the Secret's data that holds the password." })),
});

const database = Type.Object(
  {
    clusterRef: Type.Optional(localReference),
    host: Type.Optional(Type.String({ description: 'Host of a database that exists already.' })),
    port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65535, description: 'Port of that database; 3306.' })),
    database: Type.String({ description: 'Name of the database.' }),
    secretRef,
  },
  {
    description: 'The MariaDB behind Keystone: exactly one of clusterRef and host.',
    ...rule('has(self.clusterRef) != has(self.host)', 'exactly one of clusterRef or host must be set'),
  },
);

const cache = Type.Object(
  {
    clusterRef: Type.Optional(localReference),
    backend: Type.String({
      default: 'dogpile.cache.pymemcache',
      description: 'oslo.cache backend. oslo_cache.memcache_pool keeps tokens flowing while Memcached is away.',
    }),
    servers: Type.Optional(Type.Array(Type.String(), { description: 'Memcached servers that exist already.' })),
  },
  {
    description: 'The Memcached behind Keystone: exactly one of clusterRef and servers.',
    ...rule(
      'has(self.clusterRef) != (has(self.servers) && size(self.servers) > 0)',
      'exactly one of clusterRef or servers must be set',
    ),
  },
);

const keys = (what: string) =>
  Type.Object(
    {
      rotationSchedule: Type.String({ default: '0 0 * * 0', description: 'Cron expression, five fields.' }),
      maxActiveKeys: Type.Integer({ default: 3, minimum: 3, description: 'How many keys are kept.' }),
    },
    { default: {}, description: `${what} keys and their rotation.` },
  );

const level = ['DEBUG', 'INFO', 'WARNING', 'ERROR', 'CRITICAL'] as const;

const logging = Type.Object(
  {
    format: choice(['text', 'json'], { default: 'text', description: 'Layout of the log records.' }),
    level: choice(level, { default: 'INFO', description: 'Level of the root logger.' }),
    debug: Type.Boolean({ default: false, description: "oslo.log's debug switch." }),
    perLoggerLevels: Type.Optional(mapOf(choice(level), { description: 'Levels of named loggers.' })),
  },
  { default: {}, description: 'Logging of the Keystone API.' },
);

const uwsgi = Type.Object(
  {
    processes: Type.Integer({ default: 2, minimum: 1, description: 'Worker processes.' }),
    threads: Type.Integer({ default: 1, minimum: 1, description: 'Threads per worker.' }),
    httpKeepAlive: Type.Boolean({ default: true, description: 'Keep connections open between requests.' }),
    harakiri: Type.Optional(Type.Integer({ minimum: 1, description: 'Longest life of a request, in seconds.' })),
    httpKeepAliveTimeout: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Idle seconds after which a kept connection is closed.' }),
    ),
  },
  { description: 'The application server; two processes with one thread each when absent.' },
);

const bootstrap = Type.Object(
  {
    adminUser: Type.String({ default: 'admin', description: 'Name of the first administrator.' }),
    adminPasswordSecretRef: secretRef,
    region: Type.String({ default: 'RegionOne', description: 'Name of the first region.' }),
    publicEndpoint: Type.Optional(
      Type.String({
        description: 'Public URL of the identity service in the catalog; the in-cluster URL when absent.',
      }),
    ),
  },
  { description: 'What `keystone-manage bootstrap` creates.' },
);

const spec = Type.Object({
  replicas: Type.Integer({ default: 3, minimum: 1, description: 'Number of API pods.' }),
  image,
  database,
  cache,
  fernet: keys('Fernet'),
  credentialKeys: keys('Credential'),
  bootstrap,
  logging,
  uwsgi: Type.Optional(uwsgi),
  resources: Type.Optional(
    embedded<ResourceRequirements>(definitionSchema('ResourceRequirements'), {
      description: 'CPU and memory of the API container.',
    }),
  ),
  topologySpreadConstraints: Type.Optional(
    Type.Array(embedded<TopologySpreadConstraint>(definitionSchema('TopologySpreadConstraint')), {
      description: 'Spreading of the API pods; over zones and nodes when absent, none when empty.',
    }),
  ),
  priorityClassName: Type.Optional(Type.String({ description: 'PriorityClass of the pods.' })),
  terminationGracePeriodSeconds: Type.Optional(
    Type.Integer({ minimum: 10, description: 'Seconds an API pod is given to finish; 30 when absent.' }),
  ),
  preStopSleepSeconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'Seconds an API pod waits before it stops taking requests; 5 when absent.',
    }),
  ),
  strategy: Type.Optional(
    embedded<DeploymentStrategy>(definitionSchema('DeploymentStrategy'), {
      description: 'Rollout of the API pods; when absent one pod more, none less.',
    }),
  ),
  extraConfig: Type.Optional(
    mapOf(mapOf(Type.String()), {
      description: 'Sections and options laid over the rendered keystone.conf.',
    }),
  ),
});

const status = Type.Object({
  conditions: conditions(),
  observedGeneration: Type.Optional(Type.Integer({ description: 'Generation of the spec that was last looked at.' })),
  endpoint: Type.Optional(Type.String({ description: 'URL of the Keystone API.' })),
  installedRelease: Type.Optional(Type.String({ description: 'Release whose schema the database has.' })),
  completedBootstrap: Type.Optional(Type.String({ description: 'Key of the last bootstrap that succeeded.' })),
});

/** An OpenStack Keystone: database schema, keys, configuration, API pods and bootstrap. */
export const Keystone = kind({
  group: 'keystone.openstack.c5c3.io',
  version: 'v1alpha1',
  kind: 'Keystone',
  plural: 'keystones',
  description: 'Keystone is an OpenStack identity service.',
  spec,
  status,
  printerColumns: [
    { name: 'Ready', type: 'string', jsonPath: ".status.conditions[?(@.type=='Ready')].status" },
    { name: 'Endpoint', type: 'string', jsonPath: '.status.endpoint' },
    { name: 'Release', type: 'string', jsonPath: '.status.installedRelease' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
});
export type Keystone = ObjectOf<typeof Keystone>;
