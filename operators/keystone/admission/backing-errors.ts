// SPDX-License-Identifier: Apache-2.0
import { invalidValue, type FieldError } from '@forge/kube/errors/field-error.ts';
import { exactlyOneCache } from '@forge/openstack/schema/backing-services.ts';
import { databaseModeImmutable, exactlyOneDatabase } from '@forge/openstack/schema/backing-services.ts';
import { publicEndpointMessage } from '@forge/openstack/schema/public-url.ts';
import { adminUserImmutable, regionImmutable } from '../api/bootstrap.ts';
import { databaseNameImmutable } from '../api/database.ts';
import type { Keystone } from '../api/keystone.ts';

type Spec = Keystone['spec'];

/** Errors of the database, the cache and the public URL: two databases or none, a mode or name that changes, an invalid URL. */
export function backingErrors({ spec }: Keystone, before: Keystone | undefined): FieldError[] {
  const { database, cache, bootstrap } = spec;
  const isManaged = database.clusterRef !== undefined;
  const errors: FieldError[] = [];
  if (isManaged === (database.host !== undefined))
    errors.push(invalidValue('spec.database', database, exactlyOneDatabase));
  if (before !== undefined && isManaged !== (before.spec.database.clusterRef !== undefined)) {
    errors.push(invalidValue('spec.database', database, databaseModeImmutable));
  }
  errors.push(...changeErrors(spec, before?.spec ?? spec));
  const hasServers = (cache.servers ?? []).length > 0;
  if ((cache.clusterRef !== undefined) === hasServers) errors.push(invalidValue('spec.cache', cache, exactlyOneCache));
  const { publicEndpoint } = bootstrap;
  if (publicEndpoint !== undefined && !isHttpUrl(publicEndpoint)) {
    errors.push(invalidValue('spec.bootstrap.publicEndpoint', publicEndpoint, publicEndpointMessage));
  }
  return errors;
}

/**
 * Fields that cannot change: bootstrap would create a second administrator or region, and the first administrator would keep
 * all rights.
 */
function changeErrors({ database, bootstrap }: Spec, before: Spec): FieldError[] {
  const errors: FieldError[] = [];
  const { adminUser, region } = bootstrap;
  if (adminUser !== before.bootstrap.adminUser)
    errors.push(invalidValue('spec.bootstrap.adminUser', adminUser, adminUserImmutable));
  if (region !== before.bootstrap.region) errors.push(invalidValue('spec.bootstrap.region', region, regionImmutable));
  // A managed database has a condition of its own for this.
  if (database.clusterRef === undefined && database.database !== before.database.database)
    errors.push(invalidValue('spec.database.database', database.database, databaseNameImmutable));
  return errors;
}

function isHttpUrl(text: string): boolean {
  const url = URL.parse(text);
  // The parser would take the next part of the path for the missing host.
  return /^https?:\/\/[^/\\?#]/i.test(text) && !/\s/.test(text) && url !== null && url.hostname !== '';
}
