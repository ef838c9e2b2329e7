// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import type { Secret } from '@forge/kube/kinds/builtin.ts';
import { seededRandom } from '@forge/runtime/environment/seeded-random.ts';
import { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import { labels } from '../test/expected-pods.ts';
import { keystoneFixture, managedDatabase, mariadbServer } from '../test/keystone-fixture.ts';
import { immutableConfigMap } from './config-map.ts';
import { dbConnectionOf, dbConnectionSecret } from './db-connection.ts';
import { digestKeyIn, digestKeySecret } from './digest-key.ts';
import { backupPushSecret } from './keys/backup.ts';
import { keySecret, rotatedKeySecret, stagingSecret } from './keys/key-secret.ts';
import { mariadbDatabase, mariadbGrant, mariadbUser } from './mariadb.ts';

const keystone = keystoneFixture();
const database = createHash('sha256').update('db.example:3306/keystone').digest('hex');
const bytes = (count: number) => Buffer.alloc(count, 7).toString('base64');

/** A Secret of the Keystone: its name, and what else it has. */
const secretOf = (
  name: string,
  { metadata, ...rest }: { metadata?: object; data?: object; immutable?: true } = {},
) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, labels, ...metadata },
  type: 'Opaque',
  ...rest,
});

describe('the Secrets, as a whole:', () => {
  test('the connection', () => {
    const [url, jobUrl, jobParameters] = ['url', 'server', 'account'].map((text) => new SecretValue(text));
    assert.ok(url && jobUrl && jobParameters);
    const data = {
      connection: url.base64(),
      'job-connection': jobUrl.base64(),
      'job-connection-parameters': jobParameters.base64(),
    };
    assert.deepEqual(
      dbConnectionSecret(keystone, { url, jobUrl, jobParameters }),
      secretOf('identity-db-connection', { data }),
    );
  });

  test('the URL of a managed database, whose port may be another one', () => {
    const managed = keystoneFixture({ database: { ...managedDatabase, port: 3307 } });
    const url = dbConnectionOf(managed, { username: 'u', password: new SecretValue('p') }).url.reveal();
    assert.equal(url, 'mysql+pymysql://u:p@mariadb.openstack.svc:3307/keystone?charset=utf8');
  });

  test('the key for digests, which has 32 bytes', () => {
    const random = { ...seededRandom(), bytes: (count: number) => Buffer.alloc(count, 7) };
    const secret = digestKeySecret(keystone, random);
    assert.deepEqual(secret, secretOf('identity-digest-key', { immutable: true, data: { key: bytes(32) } }));
    assert.deepEqual(digestKeyIn(secret)?.bytes(), new Uint8Array(32).fill(7));
    for (const count of [0, 31, 33]) assert.equal(digestKeyIn({ ...secret, data: { key: bytes(count) } }), undefined);
  });

  test('generated keys, and where rotated ones are staged', () => {
    const { data, ...generated } = keySecret(keystone, 'credential', seededRandom());
    const metadata = { annotations: { 'forge.c5c3.io/keys-for': database } };
    assert.deepEqual(generated, secretOf('identity-credential-keys', { metadata }));
    assert.deepEqual(Object.keys(data ?? {}), ['0', '1', '2']);
    const target = { labels: { ...labels, 'forge.c5c3.io/rotation-target': 'credential-keys' } };
    assert.deepEqual(
      stagingSecret(keystone, 'credential'),
      secretOf('identity-credential-keys-rotation', { metadata: target }),
    );
  });

  test('rotated keys replace all of this version of production, whose labels, annotations and finalizers stay', () => {
    const annotations = { 'forge.c5c3.io/keys-for': database };
    const finalizers = ['example.com/hold'];
    const production = secretOf('identity-fernet-keys', {
      metadata: { annotations, finalizers, uid: 'a1', resourceVersion: '5' },
      data: { 0: 'old', 7: 'older' },
    }) as Secret;
    const staging = { ...production, data: { 0: 'new' } };
    const time = '2026-01-01T00:00:00Z';
    const completed = { ...annotations, 'forge.c5c3.io/rotation-completed-at': time };
    const metadata = { finalizers, annotations: completed, resourceVersion: '5' };
    assert.deepEqual(
      rotatedKeySecret(production, staging, time),
      secretOf('identity-fernet-keys', { metadata, data: { 0: 'new' } }),
    );
  });
});

test('the backup of keys is the whole Secret, deleted with the PushSecret', () => {
  const production = secretOf('identity-fernet-keys', { data: { 0: 'a' } }) as Secret;
  const { metadata, ...rest } = backupPushSecret(keystone, 'fernet', { store: 'vault', production });
  const { annotations = {}, ...named } = metadata;
  assert.deepEqual(named, { name: 'identity-fernet-keys-backup', labels });
  assert.deepEqual(Object.keys(annotations), ['c5c3.io/push-content-hash']);
  assert.deepEqual(rest, {
    apiVersion: 'external-secrets.io/v1alpha1',
    kind: 'PushSecret',
    spec: {
      deletionPolicy: 'Delete',
      secretStoreRefs: [{ kind: 'ClusterSecretStore', name: 'vault' }],
      selector: { secret: { name: 'identity-fernet-keys' } },
      data: [
        {
          conversionStrategy: 'None',
          match: { remoteRef: { remoteKey: 'openstack/keystone/openstack/identity/fernet-keys' } },
        },
      ],
    },
  });
});

test('a ConfigMap carries the labels of the Keystone and its base, and the hash of the specification', () => {
  const hash = createHash('sha256').update('1:a=2:é\n1:b=0:\n').digest('hex').slice(0, 8);
  assert.deepEqual(immutableConfigMap(keystone, 'identity-config', { b: '', a: 'é' }), {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: `identity-config-${hash}`,
      labels: { ...labels, 'forge.c5c3.io/config-base': 'identity-config' },
    },
    immutable: true,
    data: { b: '', a: 'é' },
  });
});

test('the objects of a managed database carry the labels of the Keystone', () => {
  const managed = keystoneFixture({ database: managedDatabase });
  const user = mariadbUser(managed, mariadbServer, { connectionDigest: 'abc', deployment: undefined });
  for (const { apiVersion, metadata } of [
    mariadbDatabase(managed, mariadbServer),
    user,
    mariadbGrant(managed, mariadbServer),
  ]) {
    assert.equal(apiVersion, 'k8s.mariadb.com/v1alpha1');
    assert.deepEqual(metadata.labels, labels);
  }
});
