// SPDX-License-Identifier: Apache-2.0
import { immutable, immutableMode } from '@forge/kube/schema/checked-rule.ts';
import { int32, nonEmpty, optionalName, text, type TextRule } from '@forge/kube/schema/field.ts';
import { fieldRule, rules } from '@forge/kube/schema/rules.ts';
import {
  backendDescription,
  cacheServers,
  databaseHost,
  databaseModeImmutable,
  databasePort,
  exactlyOneCache,
  exactlyOneDatabase,
} from '@forge/openstack/schema/backing-services.ts';
import { secretReference } from '@forge/openstack/schema/reference.ts';
import { Type } from 'typebox';
import { defaults } from './defaults.ts';

const databaseName: TextRule = {
  pattern: '^[A-Za-z0-9_]+$',
  maxLength: 64,
  message: 'must be the name of a database: letters, digits and _, at most 64 of them',
};

export const twoReplicas =
  'database replicas must be 1 (standalone) or >=3 (Galera needs quorum); 2 cannot hold a majority';
export const evenReplicas = 'database replicas must be odd: mariadb-operator refuses an even number of Galera nodes';
/** What of a database cannot change. */
export const databaseChanges = [
  databaseModeImmutable,
  immutable('managed database clusterRef.name is immutable', {
    field: '.clusterRef.name',
    fallback: defaults.databaseCluster,
  }),
  immutable('database name is immutable', { field: '.database' }),
  immutable(
    'database replicas is immutable after creation (toggling Galera or scaling down a live cluster is destructive)',
    { field: '.replicas' },
  ),
];

/** What of a cache cannot change. */
export const cacheChanges = [
  immutableMode('clusterRef', 'cache mode (managed clusterRef vs brownfield servers) is immutable'),
  immutable('managed cache clusterRef.name is immutable', {
    field: '.clusterRef.name',
    fallback: defaults.cacheCluster,
  }),
];

const clusterReference = (description: string, kind: string, name: string) =>
  Type.Object(
    {
      name: Type.String({
        ...text(optionalName, `Name of the ${kind}, in the same namespace; ${name} when empty.`),
        default: '',
      }),
    },
    { description, 'x-kubernetes-map-type': 'atomic' },
  );

const database = Type.Object(
  {
    clusterRef: Type.Optional(
      clusterReference(
        'MariaDB that the operator creates (managed mode). One of that name that exists already and belongs to somebody else ' +
          'is used as it is.',
        'MariaDB',
        defaults.databaseCluster,
      ),
    ),
    host: Type.Optional(
      Type.String({
        ...text(databaseHost, 'Host of a database that exists already (brownfield mode).'),
        minLength: 1,
      }),
    ),
    port: databasePort,
    database: text(databaseName, 'Name of the database.'),
    secretRef: secretReference(
      'Secret with the database account: the keys "username" and "password". Read in brownfield mode only; in managed mode ' +
        'the account comes from OpenBao.',
    ),
    replicas: int32(
      'Number of database servers of a MariaDB that the operator creates: 1 is a standalone server, 3 and more are a Galera ' +
        'cluster, which needs an odd number.',
      { default: defaults.databaseReplicas, minimum: 1 },
    ),
  },
  {
    description: 'Database: exactly one of clusterRef (managed) and host (brownfield).',
    ...rules(
      exactlyOneDatabase,
      fieldRule('.replicas', 'self.replicas != 2', { message: twoReplicas }),
      fieldRule('.replicas', 'self.replicas == 2 || self.replicas % 2 == 1', { message: evenReplicas }),
      ...databaseChanges,
    ),
  },
);

const cache = Type.Object(
  {
    clusterRef: Type.Optional(
      clusterReference(
        'Memcached that the operator creates (managed mode). One of that name that exists already and belongs to somebody else ' +
          'is used as it is.',
        'Memcached',
        defaults.cacheCluster,
      ),
    ),
    backend: nonEmpty(backendDescription),
    servers: cacheServers,
    replicas: int32('Number of servers of a Memcached that the operator creates.', {
      default: defaults.cacheReplicas,
      minimum: 1,
      maximum: 64,
    }),
  },
  {
    description: 'Memcached: exactly one of clusterRef (managed) and servers (brownfield).',
    ...rules(exactlyOneCache, ...cacheChanges),
  },
);

export const infrastructure = Type.Object(
  { database, cache },
  {
    description: 'Backing services of the control plane. The webhook fills in what is left out: both are managed then.',
  },
);
