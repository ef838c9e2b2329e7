// SPDX-License-Identifier: Apache-2.0
import type { Keystone } from '../api/keystone.ts';
import { cacheServersOf, canonicalAddress, canonicalDatabaseOf } from '../objects/backends.ts';

/** A backend that a Keystone shares with another one. */
interface Shared {
  /** The other one, `namespace/name`. */
  other: string;
  database?: string;
  server?: string;
}

/** The other Keystones that share the database or a Memcached server with this one. */
export function sharedBackends(keystone: Keystone, all: readonly Keystone[]): Shared[] {
  const own = backendsOf(keystone);
  return all
    .filter((each) => !isSame(each, keystone) && each.metadata.deletionTimestamp === undefined)
    .map((each) => {
      const { database, servers } = backendsOf(each);
      const server = [...own.servers].find((one) => servers.has(one));
      return {
        other: `${each.metadata.namespace}/${each.metadata.name}`,
        ...(database === own.database && { database }),
        ...(server !== undefined && { server }),
      };
    })
    .filter(({ database, server }) => database !== undefined || server !== undefined);
}

function isSame(a: Keystone, b: Keystone): boolean {
  return a.metadata.name === b.metadata.name && a.metadata.namespace === b.metadata.namespace;
}

function backendsOf(keystone: Keystone): { database: string; servers: Set<string> } {
  const { namespace = '' } = keystone.metadata;
  return {
    database: canonicalDatabaseOf(keystone),
    servers: new Set(cacheServersOf(keystone).map((server) => canonicalAddress(server, namespace))),
  };
}
