// SPDX-License-Identifier: Apache-2.0
import { MariaDB } from '@forge/kube/third-party/mariadb.ts';
import { Memcached } from '@forge/kube/third-party/memcached.ts';
import type { ControlPlane } from '../api/control-plane.ts';
import { defaults } from '../api/defaults.ts';

const storageSize = '100Gi';

/** The database cluster as it is created. */
export function mariadb(controlPlane: ControlPlane, name: string): MariaDB {
  const { spec, ...rest } = mariadbTopology(controlPlane, name);
  return { ...rest, spec: { ...spec, storage: { size: storageSize } } };
}

/**
 * The part of the database cluster that is applied in every pass; not its storage, of which mariadb-operator refuses a change.
 */
export function mariadbTopology({ spec: { infrastructure } }: ControlPlane, name: string): MariaDB {
  const { apiVersion, kind } = MariaDB;
  const replicas = countOf(infrastructure.database.replicas, defaults.databaseReplicas);
  return { apiVersion, kind, metadata: { name }, spec: { replicas, galera: { enabled: replicas > 1 } } };
}

/** The cache servers. */
export function memcached({ spec: { infrastructure } }: ControlPlane, name: string): Memcached {
  const { apiVersion, kind } = Memcached;
  const replicas = countOf(infrastructure.cache.replicas, defaults.cacheReplicas);
  return { apiVersion, kind, metadata: { name }, spec: { replicas } };
}

function countOf(replicas: number | undefined, fallback: number): number {
  return replicas === undefined || replicas < 1 ? fallback : replicas;
}
