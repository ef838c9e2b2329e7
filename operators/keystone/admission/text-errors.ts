// SPDX-License-Identifier: Apache-2.0
import { invalidValue, type FieldError } from '@forge/kube/errors/field-error.ts';
import { namespaceName, objectName, optionalName, type TextRule } from '@forge/kube/schema/field.ts';
import { cacheServer } from '@forge/openstack/schema/backing-services.ts';
import { databaseHost } from '@forge/openstack/schema/backing-services.ts';
import { hostname, routePath } from '@forge/openstack/schema/gateway.ts';
import { imageRepository, imageTag } from '@forge/openstack/schema/image.ts';
import { dataKey } from '@forge/openstack/schema/reference.ts';
import { databaseName } from '../api/database.ts';
import type { Keystone } from '../api/keystone.ts';
import { resourceName } from '../api/spec.ts';

type Checked = readonly [field: string, value: string | undefined, rule: TextRule];

/** Errors of texts with an invalid form: hosts, names, tags. */
export function textErrors(keystone: Keystone): FieldError[] {
  return [...casesOf(keystone)].flatMap(([field, value, rule]) =>
    value === undefined || keeps(value, rule) ? [] : [invalidValue(field, value, rule.message)],
  );
}

function* casesOf({ metadata, spec }: Keystone): Generator<Checked> {
  const { image, database, cache, bootstrap, policyOverrides, gateway } = spec;
  yield ['metadata.name', metadata.name, resourceName];
  yield ['spec.image.repository', image.repository, imageRepository];
  yield ['spec.image.tag', image.tag, imageTag];
  yield ['spec.database.clusterRef.name', database.clusterRef?.name, objectName];
  yield ['spec.database.host', database.host, databaseHost];
  yield ['spec.database.database', database.database, databaseName];
  yield* secret('spec.database.secretRef', database.secretRef);
  yield ['spec.cache.clusterRef.name', cache.clusterRef?.name, objectName];
  for (const [index, server] of (cache.servers ?? []).entries()) {
    yield [`spec.cache.servers[${index}]`, server, cacheServer];
  }
  yield* secret('spec.bootstrap.adminPasswordSecretRef', bootstrap.adminPasswordSecretRef);
  yield ['spec.policyOverrides.configMapRef.name', policyOverrides?.configMapRef?.name, objectName];
  yield ['spec.priorityClassName', spec.priorityClassName, optionalName];
  // An empty value there is reported as missing.
  yield ['spec.gateway.hostname', gateway?.hostname || undefined, hostname];
  yield ['spec.gateway.parentRef.name', gateway?.parentRef.name || undefined, objectName];
  yield ['spec.gateway.parentRef.namespace', gateway?.parentRef.namespace, namespaceName];
  yield ['spec.gateway.parentRef.sectionName', gateway?.parentRef.sectionName, optionalName];
  yield ['spec.gateway.path', gateway?.path, routePath];
}

function* secret(field: string, { name, key }: { name: string; key?: string }): Generator<Checked> {
  yield [`${field}.name`, name, objectName];
  yield [`${field}.key`, key, dataKey];
}

function keeps(value: string, { pattern, maxLength }: TextRule): boolean {
  return value.length <= maxLength && new RegExp(pattern, 'u').test(value);
}
