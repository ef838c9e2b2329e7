// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Volume } from '@forge/kube/generated/types.ts';
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import { volumeFiles } from './volume-files.ts';

const objects = {
  configMap: (name: string) =>
    name === 'settings'
      ? {
          apiVersion: 'v1' as const,
          kind: 'ConfigMap' as const,
          metadata: { name },
          data: { 'a.conf': 'a', 'b.conf': 'b' },
          binaryData: { bin: 'AAE=' },
        }
      : undefined,
  secret: (name: string) =>
    name === 'keys'
      ? { apiVersion: 'v1' as const, kind: 'Secret' as const, metadata: { name }, data: { '0': 'a2V5' } }
      : undefined,
};

const tokenOf = ({ audience = 'the server' }) => `a token for ${audience}`;

function files(volume: Omit<Volume, 'name'>, fsGroup?: number, runAsUser?: number) {
  const pod: Pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'default' },
    spec: {
      containers: [{ name: 'main', ...(runAsUser !== undefined && { securityContext: { runAsUser } }) }],
      ...(fsGroup !== undefined && { securityContext: { fsGroup } }),
    },
  };
  const found = volumeFiles({ name: 'v', ...volume }, { pod, podIP: '10.244.0.2', objects, tokenOf });
  return (
    found && Object.fromEntries([...found].map(([path, { data, mode }]) => [path, [data.toString('latin1'), mode]]))
  );
}

test('a ConfigMap becomes a file per key, or the selected items at their paths', () => {
  assert.deepEqual(files({ configMap: { name: 'settings' } }), {
    'a.conf': ['a', 0o644],
    'b.conf': ['b', 0o644],
    bin: ['\0\x01', 0o644],
  });
  const items = [{ key: 'b.conf', path: 'conf.d/b', mode: 0o600 }];
  assert.deepEqual(files({ configMap: { name: 'settings', items } }), { 'conf.d/b': ['b', 0o600] });
});

test('the fsGroup can read the files', () => {
  assert.deepEqual(files({ secret: { secretName: 'keys', defaultMode: 0o400 } }), { '0': ['key', 0o400] });
  assert.deepEqual(files({ secret: { secretName: 'keys', defaultMode: 0o400 } }, 42424), { '0': ['key', 0o440] });
});

test('a projected volume has the files of all its sources', () => {
  const sources = [
    { configMap: { name: 'settings', items: [{ key: 'a.conf', path: 'a' }] } },
    { secret: { name: 'keys' } },
    {
      downwardAPI: {
        items: [
          { path: 'name', fieldRef: { fieldPath: 'metadata.name' } },
          { path: 'cpu', resourceFieldRef: { containerName: 'main', resource: 'requests.cpu' }, mode: 0o400 },
        ],
      },
    },
  ];
  assert.deepEqual(files({ projected: { sources } }), {
    a: ['a', 0o644],
    '0': ['key', 0o644],
    name: ['web', 0o644],
    cpu: ['0', 0o400],
  });
});

test('a token is readable only by its owner, if that is unambiguous', () => {
  const volume = { projected: { sources: [{ serviceAccountToken: { path: 'token', audience: 'vault' } }] } };
  assert.deepEqual(files(volume), { token: ['a token for vault', 0o644] });
  assert.deepEqual(files(volume, undefined, 1000), { token: ['a token for vault', 0o600] });
  assert.deepEqual(files(volume, 42424), { token: ['a token for vault', 0o640] });
});

test('a missing reference is an error, unless it is optional', () => {
  assert.throws(() => files({ secret: { secretName: 'nobody' } }), { message: 'secret "nobody" not found' });
  assert.deepEqual(files({ secret: { secretName: 'nobody', optional: true } }), {});
  const items = [{ key: 'a', path: 'b' }];
  assert.throws(() => files({ secret: { secretName: 'nobody', items } }), { message: 'secret "nobody" not found' });
  assert.deepEqual(files({ secret: { secretName: 'nobody', items, optional: true } }), {});
  assert.throws(
    () => files({ projected: { sources: [{ clusterTrustBundle: { path: 'trust' } }] } }),
    /clusterTrustBundle/,
  );
  assert.equal(files({ emptyDir: {} }), undefined);
});
