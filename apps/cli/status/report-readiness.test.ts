// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiServer } from '@forge/apiserver/api-server.ts';
import { inProcessTransport } from '@forge/apiserver/wire/in-process-transport.ts';
import { Keystone } from '@forge/keystone/api/keystone.ts';
import { client } from '@forge/kube/client/client.ts';
import { CustomResourceDefinition, Namespace } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { seededRandom } from '@forge/runtime/environment/seeded-random.ts';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { progress } from '../terminal/progress.ts';
import { keystoneDemo as demo } from '../up/keystone-demo.ts';
import { reportReadiness } from './report-readiness.ts';

const { namespace } = demo;
const ref = { namespace, name: demo.keystone };
const finalizers = ['test.forge/held'];

test('a resource that becomes unready, is ready again, is deleted and re-created is reported once per change', async () => {
  const clock = virtualClock();
  const server = await apiServer({ clock, random: seededRandom() });
  const kube = client(inProcessTransport(server));
  await kube.create(CustomResourceDefinition, crdOf(Keystone));
  await clock.settle();
  await kube.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  const manifest = demo.manifests('http://127.0.0.1:1/v3').find(({ kind }) => kind.kind === Keystone.kind)?.object;
  const create = (metadata: object = {}) =>
    kube.create(Keystone, { ...manifest, metadata: { ...ref, ...metadata } } as Keystone & KubeObject);
  const report = async (status: 'True' | 'False', message: string) => {
    const common = { status, observedGeneration: 1, lastTransitionTime: '2026-01-01T00:00:00Z' };
    const conditions = [
      { ...common, type: 'SecretsReady', reason: 'ConfigError', message },
      { ...common, type: 'Ready', reason: 'Any', message: 'as the others' },
    ];
    await kube.patch(Keystone, ref, 'merge', { status: { conditions } }, { subresource: 'status' });
    await clock.settle();
  };
  await create({ finalizers });
  await report('True', 'synced');

  let output = '';
  const shown = progress({ write: (text) => (output += text), clock, colour: false });
  const ended = new AbortController();
  const reporting = reportReadiness(kube, demo, shown, ended.signal);
  const lines = () => {
    const texts = output.split('\n').filter(Boolean);
    output = '';
    return texts.map((line) =>
      line
        .trim()
        .replace(/^\S+ +/, '')
        .replaceAll(/ +/g, ' '),
    );
  };
  await clock.settle();
  await report('True', 'synced again');
  assert.deepEqual(lines(), [], 'nothing has changed');

  await report('False', 'no server');
  await report('False', 'no server, still');
  assert.deepEqual(lines(), ['· keystone is no longer ready: SecretsReady ConfigError: no server']);
  await report('True', 'synced');
  assert.deepEqual(lines(), ['✔ keystone is ready']);
  await report('False', 'no server');
  assert.deepEqual(lines(), ['· keystone is no longer ready: SecretsReady ConfigError: no server']);

  await kube.delete(Keystone, ref);
  await report('False', 'terminating');
  assert.deepEqual(lines(), ['· keystone is being deleted']);
  await kube.patch(Keystone, ref, 'merge', { metadata: { finalizers: null } });
  await clock.settle();
  assert.deepEqual(lines(), ['✔ keystone is deleted']);
  await create();
  await report('False', 'has just been created');
  assert.deepEqual(lines(), []);
  await report('True', 'synced');
  assert.deepEqual(lines(), ['✔ keystone is ready']);

  await kube.delete(Keystone, ref);
  await create();
  await report('False', 'has just been created');
  assert.deepEqual(lines(), ['✔ keystone is deleted'], 'the new one was never ready');
  ended.abort();
  await reporting;
  await server.close();
});
