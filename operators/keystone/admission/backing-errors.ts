// SPDX-License-Identifier: Apache-2.0
import { invalidValue, type FieldError } from '@forge/kube/errors/field-error.ts';
import type { Keystone } from '../keystone.ts';
import { publicEndpointMessage } from '../kind/bootstrap.ts';
import { exactlyOneCache } from '../kind/cache.ts';
import { databaseModeImmutable, exactlyOneDatabase } from '../kind/database.ts';

/** What Keystone stands on and under which URL it is known: two databases or none, a mode that changes, a URL that is none. */
export function backingErrors({ spec }: Keystone, before: Keystone | undefined): FieldError[] {
  const { database, cache, bootstrap } = spec;
  const isManaged = database.clusterRef !== undefined;
  const errors: FieldError[] = [];
  if (isManaged === (database.host !== undefined))
    errors.push(invalidValue('spec.database', database, exactlyOneDatabase));
  if (before !== undefined && isManaged !== (before.spec.database.clusterRef !== undefined)) {
    errors.push(invalidValue('spec.database', database, databaseModeImmutable));
  }
  const hasServers = (cache.servers ?? []).length > 0;
  if ((cache.clusterRef !== undefined) === hasServers) errors.push(invalidValue('spec.cache', cache, exactlyOneCache));
  const { publicEndpoint } = bootstrap;
  if (publicEndpoint !== undefined && !isHttpUrl(publicEndpoint)) {
    errors.push(invalidValue('spec.bootstrap.publicEndpoint', publicEndpoint, publicEndpointMessage));
  }
  return errors;
}

function isHttpUrl(text: string): boolean {
  const url = URL.parse(text);
  // The parser would take the next part of the path for a host that is missing.
  return /^https?:\/\/[^/\\?#]/i.test(text) && !/\s/.test(text) && url !== null && url.hostname !== '';
}
