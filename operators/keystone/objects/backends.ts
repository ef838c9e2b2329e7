// SPDX-License-Identifier: Apache-2.0
import type { Database, MariaDB } from '@forge/kube/third-party/mariadb.ts';
import { defaultPort } from '@forge/openstack/schema/backing-services.ts';
import type { Keystone } from '../api/keystone.ts';

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
 * The identity of the database on which a schema is created and bootstrapped: `{address}#{uid of the Database}@{uid of the
 * MariaDB}` for a managed one. Mariadb-operator creates an empty one for each Database object, and on each MariaDB without
 * volumes.
 */
export function databaseIdentityOf(keystone: Keystone, { database, server }: ManagedDatabase): string {
  const address = databaseAddressOf(keystone);
  const [databaseUid, serverUid] = [database?.metadata.uid, server?.metadata.uid];
  if (keystone.spec.database.clusterRef === undefined || databaseUid === undefined) return address;
  return serverUid === undefined ? `${address}#${databaseUid}` : `${address}#${databaseUid}@${serverUid}`;
}

/** Objects of mariadb-operator. */
interface ManagedDatabase {
  readonly database: Database | undefined;
  readonly server: MariaDB | undefined;
}

/** The identity without its MariaDB, as earlier versions of the operator stored it. */
export const databaseObjectIn = (identity: string): string => identity.replace(/(#[^#@]*)@[^@]*$/, '$1');

/** Port of the database. */
export const databasePortOf = ({ spec: { database } }: Keystone): number => database.port ?? defaultPort;

/** The Memcached servers as `{host}:{port}`. */
export function cacheServersOf({ metadata: { namespace }, spec: { cache } }: Keystone): readonly string[] {
  return cache.clusterRef === undefined ? (cache.servers ?? []) : [`${cache.clusterRef.name}.${namespace}.svc:11211`];
}

/** The database of a Keystone, as an address that is the same for all Keystones that use it. */
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
