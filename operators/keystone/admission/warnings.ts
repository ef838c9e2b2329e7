// SPDX-License-Identifier: Apache-2.0
import { parseRelease } from '@forge/openstack/release.ts';
import { defaultBackend, pooledBackend } from '@forge/openstack/schema/backing-services.ts';
import type { Keystone } from '../api/keystone.ts';
import { readFlushArgs } from '../objects/flush-args.ts';
import { sharedBackends } from './shared-backends.ts';

/** Settings that are allowed but cause problems later; every warning names the field and the remedy. */
export function warningsOf(keystone: Keystone, all: readonly Keystone[], before?: Keystone): string[] {
  return [...sharingWarnings(keystone, all), ...settingWarnings(keystone), ...renamingWarnings(keystone, before)];
}

/** A managed database is an object of mariadb-operator, which accepts no other name for it. */
function renamingWarnings({ spec: { database } }: Keystone, before: Keystone | undefined): string[] {
  const old = before?.spec.database;
  if (old?.clusterRef === undefined || database.clusterRef === undefined || old.database === database.database)
    return [];
  return [
    `spec.database.database: mariadb-operator refuses to rename the database ${old.database} to ${database.database}; set it ` +
      'back, or delete and re-create the Keystone, which deletes its data',
  ];
}

function sharingWarnings(keystone: Keystone, all: readonly Keystone[]): string[] {
  return sharedBackends(keystone, all).flatMap(({ other, database, server }) => [
    ...(database === undefined
      ? []
      : [
          `spec.database: Keystone ${other} uses the same database ${database}; each bootstrap overwrites the catalog of the ` +
            'other: give every Keystone a database of its own',
        ]),
    ...(server === undefined
      ? []
      : [
          `spec.cache: Keystone ${other} uses the same Memcached ${server}; their cache keys collide and logins fail: give ` +
            'every Keystone a Memcached of its own',
        ]),
  ]);
}

function settingWarnings({ spec }: Keystone): string[] {
  const { image, database, cache, logging, trustFlush, middleware, extraConfig } = spec;
  const { dropped } = readFlushArgs(trustFlush?.args ?? []);
  return [
    ...(database.database.includes('-')
      ? [
          `spec.database.database: db_sync of Keystone fails in an empty database whose name has a dash, like ` +
            `${database.database}; use letters, digits and _`,
        ]
      : []),
    ...(cache.backend === defaultBackend
      ? [
          `spec.cache.backend: with ${defaultBackend} no token is validated while Memcached is down; set ${pooledBackend}`,
        ]
      : []),
    ...(logging.format === 'text' && logging.level !== 'INFO'
      ? ['spec.logging.level: acts with format json only; with format text set debug or perLoggerLevels']
      : []),
    ...dropped.map(
      (option) => `spec.trustFlush.args: ${option} is left out, since trust_flush has no such option; remove it`,
    ),
    ...(isRelease(image.tag)
      ? []
      : [
          `spec.image.tag: ${image.tag} names no OpenStack release, so upgrades cannot be told from downgrades; use YYYY.1 or YYYY.2`,
        ]),
    ...((middleware ?? []).length === 0
      ? []
      : [
          'spec.middleware: has no effect, since Keystone reads no api-paste.ini; put the filter into the WSGI application of ' +
            'the image',
        ]),
    ...(extraConfig?.['database']?.['connection'] === undefined
      ? []
      : [
          'spec.extraConfig.database.connection: has no effect, since the connection is made from spec.database and its ' +
            'Secret; remove it, and the password in it',
        ]),
  ];
}

function isRelease(tag: string): boolean {
  try {
    parseRelease(tag);
    return true;
  } catch {
    return false;
  }
}
