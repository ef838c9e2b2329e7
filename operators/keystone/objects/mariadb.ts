// SPDX-License-Identifier: Apache-2.0
import type { Deployment } from '@forge/kube/kinds/builtin.ts';
import type { Database, Grant, MariaDB, User } from '@forge/kube/third-party/mariadb.ts';
import { defaults } from '../api/defaults.ts';
import type { Keystone } from '../api/keystone.ts';
import { commonLabels, dbConnectionHashAnnotation, mariadbUidAnnotation, namesOf } from '../api/names.ts';
import { mostReplicasOf } from './replicas.ts';
import { databasePasswordKey } from './secret-keys.ts';

const apiVersion = 'k8s.mariadb.com/v1alpha1';

const mariaDbRefOf = ({ spec }: Keystone) => ({ name: spec.database.clusterRef?.name ?? '' });

/** An annotation that changes with the server, so that mariadb-operator checks again what is on it. */
const serverMark = ({ metadata: { uid } }: MariaDB) => (uid === undefined ? {} : { [mariadbUidAnnotation]: uid });

/** The database on the MariaDB cluster. */
export function mariadbDatabase(keystone: Keystone, server: MariaDB): Database {
  return {
    apiVersion,
    kind: 'Database',
    metadata: { name: namesOf(keystone).api, labels: commonLabels(keystone), annotations: serverMark(server) },
    spec: {
      mariaDbRef: mariaDbRefOf(keystone),
      name: keystone.spec.database.database,
      characterSet: 'utf8mb4',
      collate: 'utf8mb4_general_ci',
    },
  };
}

/** The account of every Keystone process. */
export function mariadbUser(
  keystone: Keystone,
  server: MariaDB,
  { connectionDigest, deployment }: { connectionDigest: string; deployment: Deployment | undefined },
): User {
  return {
    apiVersion,
    kind: 'User',
    metadata: {
      name: namesOf(keystone).api,
      labels: commonLabels(keystone),
      // Without a change here mariadb-operator applies a new password hours later.
      annotations: { ...serverMark(server), [dbConnectionHashAnnotation]: connectionDigest },
    },
    spec: {
      mariaDbRef: mariaDbRefOf(keystone),
      passwordSecretKeyRef: { name: keystone.spec.database.secretRef.name, key: databasePasswordKey(keystone) },
      maxUserConnections: maxUserConnections(keystone, deployment),
    },
  };
}

/** The account's privileges on the database. */
export function mariadbGrant(keystone: Keystone, server: MariaDB): Grant {
  const { api: name } = namesOf(keystone);
  return {
    apiVersion,
    kind: 'Grant',
    metadata: { name, labels: commonLabels(keystone), annotations: serverMark(server) },
    spec: {
      mariaDbRef: mariaDbRefOf(keystone),
      privileges: ['ALL PRIVILEGES'],
      database: keystone.spec.database.database,
      table: '*',
      username: name,
    },
  };
}

/** One connection for every thread that may exist, and room for Jobs; the default of the User kind is 10. */
function maxUserConnections(keystone: Keystone, deployment: Deployment | undefined): number {
  const { processes, threads } = keystone.spec.uwsgi ?? defaults.uwsgi;
  return Math.max(100, mostReplicasOf(keystone, deployment) * processes * threads + 20);
}
