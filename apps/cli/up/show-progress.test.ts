// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiServer } from '@forge/apiserver/api-server.ts';
import { inProcessTransport } from '@forge/apiserver/wire/in-process-transport.ts';
import { Keystone } from '@forge/keystone/api/keystone.ts';
import { client, type Client } from '@forge/kube/client/client.ts';
import { CustomResourceDefinition, Namespace, Pod, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { seededRandom } from '@forge/runtime/environment/seeded-random.ts';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { progress } from '../terminal/progress.ts';
import { keystoneDemo as demo } from './keystone-demo.ts';
import { previousConditions, showProgressUntilReady } from './show-progress.ts';

const namespace = demo.namespace;
const ref = { namespace, name: demo.keystone };
const labels = { 'app.kubernetes.io/name': 'mariadb' };

/** Writes the status in place of the operator and the node. */
async function report(kube: Client, now: number, message: string): Promise<void> {
  const time = new Date(now).toISOString().replace('.000', '');
  const { metadata } = await kube.get(Keystone, ref);
  const common = { status: 'True', observedGeneration: metadata.generation ?? 0, lastTransitionTime: time } as const;
  const conditions = [
    { ...common, type: 'DatabaseReady', reason: 'Synced', message },
    { ...common, type: 'Ready', reason: 'AllReady', message: 'all is well' },
  ];
  await kube.patch(Keystone, ref, 'merge', { status: { conditions } }, { subresource: 'status' });
  const running = {
    name: 'mariadb',
    image: 'a',
    imageID: 'a',
    ready: true,
    restartCount: 0,
    state: { running: { startedAt: time } },
  };
  const status = { conditions: [{ type: 'Ready', status: 'True' }], containerStatuses: [running] };
  await kube.patch(Pod, { namespace, name: 'mariadb-0' }, 'merge', { status }, { subresource: 'status' });
}

test('after a restart, neither conditions nor ready pods of the previous run are shown', async () => {
  const clock = virtualClock();
  const server = await apiServer({ clock, random: seededRandom() });
  const kube = client(inProcessTransport(server));
  await kube.create(CustomResourceDefinition, crdOf(Keystone));
  await clock.settle();
  await kube.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  for (const { kind, object } of demo.manifests('http://127.0.0.1:1/v3')) {
    if (kind.kind === Keystone.kind) await kube.create(kind, object);
  }
  await kube.create(StatefulSet, {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { namespace, name: 'mariadb' },
    spec: {
      serviceName: 'mariadb',
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'mariadb', image: 'a' }] } },
    },
  });
  await kube.create(Pod, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace, name: 'mariadb-0', labels },
    spec: { containers: [{ name: 'mariadb', image: 'a' }] },
  });
  await report(kube, clock.now(), 'synchronised long ago');
  await clock.advance(seconds(60));

  let output = '';
  const shown = progress({ write: (text) => (output += text), clock, colour: false });
  const earlier = { since: clock.now(), conditions: await previousConditions(kube, demo) };
  let isDone = false;
  const ready = showProgressUntilReady(kube, demo, shown, earlier, new AbortController().signal).then(
    () => (isDone = true),
  );
  await clock.until(() => /mariadb +is starting/.test(output));
  await clock.settle();
  assert.equal(isDone, false, output);
  assert.doesNotMatch(output, /long ago|is ready/);

  await clock.advance(seconds(3));
  await report(kube, clock.now(), 'synchronised just now');
  await ready;
  assert.match(output, /mariadb +is ready/);
  assert.match(output, /DatabaseReady +synchronised just now/);
  assert.match(output, /keystone +is ready\n$/);
  await server.close();
});
