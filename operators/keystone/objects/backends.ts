// SPDX-License-Identifier: Apache-2.0
import type { Database } from '@forge/kube/third-party/mariadb.ts';
import type { Keystone } from '../keystone.ts';

/** Host of the database: the Service of the MariaDB cluster, or the one that the user named. */
export function databaseHostOf({ metadata: { namespace }, spec: { database } }: Keystone): string {
  return database.clusterRef === undefined ? (database.host ?? '') : `${database.clusterRef.name}.${namespace}.svc`;
}

/** The database as `{host}:{port}/{name}`. */
export function databaseAddressOf(keystone: Keystone): string {
  const { database } = keystone.spec;
  return `${databaseHostOf(keystone)}:${databasePortOf(keystone)}/${database.database}`;
}

/**
 * The very database: the one on which a schema is created and bootstrapped. Mariadb-operator creates an empty one for each
 * Database object.
 */
export function databaseIdentityOf(keystone: Keystone, database: Database | undefined): string {
  const uid = keystone.spec.database.clusterRef && database?.metadata.uid;
  return uid === undefined ? databaseAddressOf(keystone) : `${databaseAddressOf(keystone)}#${uid}`;
}

/** Port of the database. */
export const databasePortOf = ({ spec: { database } }: Keystone): number => database.port ?? 3306;

/** The Memcached servers as `{host}:{port}`. */
export function cacheServersOf({ metadata: { namespace }, spec: { cache } }: Keystone): readonly string[] {
  return cache.clusterRef === undefined ? (cache.servers ?? []) : [`${cache.clusterRef.name}.${namespace}.svc:11211`];
}

/** The database of a Keystone, by an address that two Keystones on it have in common. */
export function canonicalDatabaseOf(keystone: Keystone): string {
  return canonicalAddress(databaseAddressOf(keystone), keystone.metadata.namespace ?? '');
}

/** The address with its host as every namespace knows it: a Service has several names. */
export function canonicalAddress(address: string, namespace: string): string {
  const [, host = '', rest = ''] = /^([^:/]*)(.*)$/.exec(address) ?? [];
  const name = host
    .toLowerCase()
    .replace(/[.]$/, '')
    .replace(/[.]svc[.]cluster[.]local$/, '.svc');
  return `${name.includes('.') || name === '' ? name : `${name}.${namespace}.svc`}${rest}`;
}
