// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Container } from '@forge/kube/generated/types.ts';
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import type { PodObjects } from '../references/pod-objects.ts';
import { containerEnv } from './container-env.ts';

const pod: Pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web-0', namespace: 'default', uid: 'u', labels: { app: 'web' } },
  spec: { nodeName: 'forge', containers: [] },
};

const objects: PodObjects = {
  configMap: (name) =>
    name === 'settings'
      ? { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { LEVEL: 'high', PATH: '/config' } }
      : undefined,
  secret: (name) =>
    name === 'login'
      ? { apiVersion: 'v1', kind: 'Secret', metadata: { name }, data: { pass: 'aHVudGVyMg==' } }
      : undefined,
};

const envOf = (container: Partial<Container>) =>
  containerEnv({
    pod,
    container: { name: 'web', ...container },
    podIP: '10.244.0.2',
    objects,
    defaults: { PATH: '/bin', LANG: 'C' },
  });

test('container values override envFrom, which overrides the image, and later values can refer to earlier ones', () => {
  const env = envOf({
    envFrom: [{ configMapRef: { name: 'settings' } }, { prefix: 'L_', secretRef: { name: 'login' } }],
    env: [
      { name: 'LEVEL', value: 'low' },
      { name: 'PASS', valueFrom: { secretKeyRef: { name: 'login', key: 'pass' } } },
      { name: 'URL', value: 'db://$(PASS)@$(LATER)' },
      { name: 'LATER', valueFrom: { fieldRef: { fieldPath: "metadata.labels['app']" } } },
      { name: 'IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
      { name: 'MILLIS', valueFrom: { resourceFieldRef: { resource: 'requests.cpu', divisor: '1m' } } },
    ],
  });
  assert.deepEqual(env, {
    PATH: '/config',
    LANG: 'C',
    LEVEL: 'low',
    L_pass: 'hunter2',
    PASS: 'hunter2',
    URL: 'db://hunter2@$(LATER)',
    LATER: 'web',
    IP: '10.244.0.2',
    MILLIS: '0',
  });
});

const reference = (name: string, key: string, optional = false) => ({
  env: [{ name: 'A', valueFrom: { secretKeyRef: { name, key, optional } } }],
});

test('a missing reference prevents the start, unless it is optional', () => {
  assert.throws(() => envOf(reference('nobody', 'pass')), { message: 'secret "nobody" not found' });
  assert.throws(() => envOf(reference('login', 'nothing')), { message: "couldn't find key nothing in Secret login" });
  assert.equal(envOf(reference('nobody', 'pass', true))['A'], undefined);
  assert.throws(() => envOf({ envFrom: [{ configMapRef: { name: 'nobody' } }] }), {
    message: 'configmap "nobody" not found',
  });
  assert.throws(() => envOf({ env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'spec.x' } } }] }), /spec\.x/);
});

test('names such as `constructor` are ordinary names', () => {
  const label = { fieldRef: { fieldPath: "metadata.labels['constructor']" } };
  const env = envOf({
    env: [
      { name: '__proto__', value: 'own' },
      { name: 'URL', value: '$(__proto__) $(constructor)' },
      { name: 'LABEL', valueFrom: label },
    ],
  });
  assert.deepEqual(Object.entries(env).slice(2), [
    ['__proto__', 'own'],
    ['URL', 'own $(constructor)'],
    ['LABEL', ''],
  ]);
});
