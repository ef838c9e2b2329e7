// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { managedBy } from '@forge/cluster/stand-ins/external-secrets/push-entry.ts';
import { Namespace } from '@forge/kube/kinds/builtin.ts';
import { isObject } from '@forge/kube/objects/json.ts';
import { ExternalSecret } from '@forge/kube/third-party/external-secrets.ts';
import { MariaDB } from '@forge/kube/third-party/mariadb.ts';
import { Memcached } from '@forge/kube/third-party/memcached.ts';
import { defaultSecretStore } from '@forge/openstack/secret-store.ts';
import { systemRandom } from '@forge/runtime/environment/random.ts';
import { mount } from '../../openbao/policies.ts';
import { credentialPaths } from '../../openbao/seed.ts';
import type { LocalKeystones } from './local-keystones.ts';

/** Values of Secrets that must appear nowhere else. */
export const canaries = new Set<string>();

/** The part of a canary that is the same in every encoding. */
export const canaryCore = /^Canary-[\w-]{24}/;

/** A secret value that is easy to find, with characters that are special in URLs, SQL and oslo.config. */
export function canary(): string {
  const value = `Canary-${Buffer.from(systemRandom.bytes(18)).toString('base64url')}$'"%/@`;
  canaries.add(value);
  return value;
}

/** Creates a namespace with a MariaDB, named `mariadb`. */
export async function createTenant({ client }: LocalKeystones, namespace: string): Promise<void> {
  await client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await client.create(MariaDB, {
    apiVersion: MariaDB.apiVersion,
    kind: MariaDB.kind,
    metadata: { namespace, name: 'mariadb' },
    spec: { image: 'mariadb:10.11', replicas: 1, storage: { size: '1Gi' } },
  });
}

/**
 * Writes the credentials of a Keystone into OpenBao, and creates the ExternalSecrets `{name}-db` and `{name}-admin`.
 */
export async function createCredentials(cluster: LocalKeystones, namespace: string, name: string): Promise<void> {
  const paths = credentialPaths({ namespace, keystone: name });
  await writeSecret(cluster, paths.database, { username: name, password: canary() });
  await writeSecret(cluster, paths.admin, { password: canary() });
  await createExternalSecret(cluster, { namespace, name: `${name}-db` }, paths.database, ['username', 'password']);
  await createExternalSecret(cluster, { namespace, name: `${name}-admin` }, paths.admin, ['password']);
}

/** Creates a Memcached for a Keystone: two Keystones must not share one. */
export async function createMemcached({ client }: LocalKeystones, namespace: string, name: string): Promise<void> {
  const metadata = { namespace, name };
  const spec = { image: 'memcached:1.6', replicas: 1 };
  await client.create(Memcached, { apiVersion: Memcached.apiVersion, kind: Memcached.kind, metadata, spec });
}

/** Empties the Memcached of a Keystone, so that it has to read and decrypt everything again. */
export async function emptyCache({ dial }: LocalKeystones, { namespace, name }: { namespace: string; name: string }) {
  const connection = await dial(`${name}-cache.${namespace}.svc.cluster.local`, 11_211);
  connection.write('flush_all\r\n');
  const [answer] = (await once(connection, 'data')) as [Buffer];
  connection.destroy();
  assert.equal(answer.toString(), 'OK\r\n');
}

/** Writes values to a path in OpenBao, like its administrator. */
export async function writeSecret(
  { openbao }: LocalKeystones,
  path: string,
  values: Record<string, string>,
): Promise<void> {
  await openbao.call('PUT', `${mount}/metadata/${path}`, { custom_metadata: managedBy });
  await openbao.call('PUT', `${mount}/data/${path}`, { data: values });
}

/** The values at a path in OpenBao; undefined where there are none. */
export async function readSecret({ openbao }: LocalKeystones, path: string): Promise<unknown> {
  const found = (await openbao.call('GET', `${mount}/data/${path}`))?.['data'];
  return isObject(found) ? (found['data'] ?? undefined) : undefined;
}

/** Refreshed every two seconds, so that a change in OpenBao arrives soon. */
async function createExternalSecret(
  { client }: LocalKeystones,
  metadata: { namespace: string; name: string },
  key: string,
  properties: readonly string[],
): Promise<void> {
  await client.create(ExternalSecret, {
    apiVersion: ExternalSecret.apiVersion,
    kind: ExternalSecret.kind,
    metadata,
    spec: {
      refreshInterval: '2s',
      secretStoreRef: { kind: 'ClusterSecretStore', name: defaultSecretStore },
      target: { name: metadata.name, creationPolicy: 'Owner' },
      data: properties.map((property) => ({ secretKey: property, remoteRef: { key, property } })),
    },
  });
}
