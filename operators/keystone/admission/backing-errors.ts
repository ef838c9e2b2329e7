// SPDX-License-Identifier: Apache-2.0
import { invalidValue, type FieldError } from '@forge/kube/errors/field-error.ts';
import {
  databaseModeImmutable,
  exactlyOneCache,
  exactlyOneDatabase,
} from '@forge/openstack/schema/backing-services.ts';
import { publicEndpointMessage } from '@forge/openstack/schema/public-url.ts';
import { adminUserImmutable, regionImmutable } from '../api/bootstrap.ts';
import { databaseNameImmutable } from '../api/database.ts';
import type { Keystone } from '../api/keystone.ts';

/** Errors of the database, the cache and the public URL: two databases or none, a mode or name that changes, an invalid URL. */
export function backingErrors({ spec }: Keystone, before: Keystone | undefined): FieldError[] {
  const { database, cache, bootstrap } = spec;
  const old = before?.spec;
  const { publicEndpoint } = bootstrap;
  return [
    ...exactlyOneDatabase.errors('spec.database', database),
    ...databaseModeImmutable.errors('spec.database', database, old?.database),
    ...adminUserImmutable.errors('spec.bootstrap.adminUser', bootstrap.adminUser, old?.bootstrap.adminUser),
    ...regionImmutable.errors('spec.bootstrap.region', bootstrap.region, old?.bootstrap.region),
    ...databaseNameImmutable.errors('spec.database', database, old?.database),
    ...exactlyOneCache.errors('spec.cache', cache),
    ...(publicEndpoint === undefined || isHttpUrl(publicEndpoint)
      ? []
      : [invalidValue('spec.bootstrap.publicEndpoint', publicEndpoint, publicEndpointMessage)]),
  ];
}

function isHttpUrl(text: string): boolean {
  const url = URL.parse(text);
  // The parser would take the next part of the path for the missing host.
  return /^https?:\/\/[^/\\?#]/i.test(text) && !/\s/.test(text) && url !== null && url.hostname !== '';
}
