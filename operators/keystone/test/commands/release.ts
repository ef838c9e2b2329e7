// SPDX-License-Identifier: Apache-2.0
import { ConfigMap, Role, RoleBinding, Secret, ServiceAccount } from '@forge/kube/kinds/builtin.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { systemRandom } from '@forge/runtime/environment/random.ts';
import { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import type { ProcessCluster } from '@forge/testing/programs/process-cluster.ts';
import type { Keystone } from '../../api/keystone.ts';
import { keyTypes, keyNamesOf, namesOf, type KeyType } from '../../api/names.ts';
import { immutableConfigMap } from '../../objects/config-map.ts';
import { configFiles } from '../../objects/config/config-files.ts';
import { policyRules } from '../../objects/config/policy-rules.ts';
import { dbConnectionOf, dbConnectionSecret } from '../../objects/db-connection.ts';
import { keySecret, stagingSecret } from '../../objects/keys/key-secret.ts';
import { rotationAccess } from '../../objects/rotation/access.ts';
import { rotationScripts } from '../../objects/rotation/scripts.ts';
import { keystoneFixture } from '../keystone-fixture.ts';

/** A Keystone of a release in a namespace of its own, with what the pods of its Jobs mount. */
export interface Release {
  keystone: Keystone;
  namespace: string;
  /** Name of the ConfigMap of the configuration. */
  configMap: string;
  /** Name of the ConfigMap of the scripts that rotate these keys. */
  scripts: Record<KeyType, string>;
}

/** The name of a release's database and account. */
export function databaseOf(release: string): string {
  return `keystone_${release.replace('.', '_')}`;
}

/** The namespace of a release. */
export function namespaceOf(release: string): string {
  return `keystone-${release.replace('.', '-')}`;
}

/** Creates what the operator makes before its Jobs, without a Keystone object: no operator runs. */
export async function createRelease(cluster: ProcessCluster, release: string): Promise<Release> {
  const keystone = keystoneOf(release);
  const { namespace = '' } = keystone.metadata;
  const create = (kind: Parameters<typeof cluster.client.create>[0], object: KubeObject) =>
    cluster.client.create(kind, { ...object, metadata: { ...object.metadata, namespace } });

  const config = immutableConfigMap(
    keystone,
    namesOf(keystone).configBase,
    configFiles(keystone, policyRules(keystone, undefined)),
  );
  await create(ConfigMap, config);
  const account = { username: databaseOf(release), password: new SecretValue(databaseOf(release)) };
  await create(Secret, dbConnectionSecret(keystone, dbConnectionOf(keystone, account)));
  const { name } = keystone.spec.bootstrap.adminPasswordSecretRef;
  await create(Secret, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name },
    stringData: { password: 'admin' },
  } as Secret);

  const scripts = { fernet: '', credential: '' };
  for (const keyType of keyTypes) {
    await create(Secret, keySecret(keystone, keyType, systemRandom));
    await create(Secret, stagingSecret(keystone, keyType));
    const files = immutableConfigMap(
      keystone,
      keyNamesOf(keystone, keyType).rotateScriptBase,
      rotationScripts(keyType),
    );
    await create(ConfigMap, files);
    scripts[keyType] = files.metadata.name;
    const [serviceAccount, role, roleBinding] = rotationAccess(keystone, keyType);
    await create(ServiceAccount, serviceAccount);
    await create(Role, role);
    await create(RoleBinding, roleBinding);
  }
  return { keystone, namespace, configMap: config.metadata.name, scripts };
}

function keystoneOf(release: string): Keystone {
  const namespace = namespaceOf(release);
  const keystone = keystoneFixture({
    image: { repository: 'c5c3/keystone', tag: release },
    database: { host: 'mariadb.default.svc', database: databaseOf(release), secretRef: { name: 'keystone-db' } },
    // Not shared by releases: cached rows of another database break bootstrap.
    cache: { backend: 'oslo_cache.memcache_pool', servers: [`memcached.${namespace}.svc:11211`] },
    policyOverrides: { rules: { 'identity:list_users': 'role:admin' } },
  });
  return { ...keystone, metadata: { ...keystone.metadata, namespace } };
}
