// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiServer } from '@forge/apiserver/api-server.ts';
import { inProcessTransport } from '@forge/apiserver/wire/in-process-transport.ts';
import { ControlPlane } from '@forge/controlplane/api/control-plane.ts';
import { controlPlaneFixture } from '@forge/controlplane/test/control-plane-fixture.ts';
import { Keystone } from '@forge/keystone/api/keystone.ts';
import { client } from '@forge/kube/client/client.ts';
import { CustomResourceDefinition, Namespace } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import { seededRandom } from '@forge/runtime/environment/seeded-random.ts';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { openbao } from '../openbao/openbao-objects.ts';
import { controlPlaneDemo } from './control-plane-demo.ts';
import type { Demo } from './demo.ts';
import { keystoneDemo as demo } from './keystone-demo.ts';
import { refuseOtherDemo } from './refuse-other-demo.ts';

const namespace = (name: string): Namespace => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });

test('a folder with the demo Keystone of an earlier version is refused, but not with a Keystone that the user created later', async () => {
  const clock = virtualClock();
  const kube = client(inProcessTransport(await apiServer({ clock, random: seededRandom() })));
  const data = { dir: '/data' };
  await refuseOtherDemo(kube, demo, data);

  await kube.create(CustomResourceDefinition, crdOf(Keystone));
  await clock.settle();
  await kube.create(Namespace, namespace(demo.namespace));
  const [keystone] = demo
    .manifests('http://127.0.0.1:1/v3')
    .flatMap(({ kind, object }) => (kind.kind === Keystone.kind ? [object as Keystone] : []));
  assert.ok(keystone);
  const { clusterRef: _, ...database } = keystone.spec.database;
  const spec = { ...keystone.spec, database: { ...database, host: 'mariadb.openstack.svc' } };
  await kube.create(Keystone, { ...keystone, spec });
  await assert.rejects(
    refuseOtherDemo(kube, demo, data),
    /^CliError: \/data holds a Keystone of an earlier version.* Nothing was changed\. Start with another folder/,
  );

  await kube.create(Namespace, namespace(openbao.namespace));
  await refuseOtherDemo(kube, demo, data);
});

const rootOf = (from: Demo) =>
  from.manifests('http://127.0.0.1:1/v3').find(({ kind }) => kind === from.resources[0].kind) ?? assert.fail();

test('a folder with one demo is not started with the other, unless it contains both', async () => {
  const clock = virtualClock();
  const kube = client(inProcessTransport(await apiServer({ clock, random: seededRandom() })));
  const data = { dir: '/data' };
  for (const kind of [Keystone, ControlPlane]) await kube.create(CustomResourceDefinition, crdOf(kind));
  await clock.settle();
  await kube.create(Namespace, namespace(demo.namespace));
  const own = rootOf(demo);
  await kube.create(own.kind, own.object);
  await refuseOtherDemo(kube, demo, data);
  await assert.rejects(
    refuseOtherDemo(kube, controlPlaneDemo, data),
    /\/data holds the demo of a Keystone\. Nothing was changed\. Start it with --only keystone/,
  );
  await kube.create(ControlPlane, controlPlaneFixture());
  await refuseOtherDemo(kube, controlPlaneDemo, data);
  await kube.delete(own.kind, { namespace: demo.namespace, name: demo.keystone });
  await assert.rejects(refuseOtherDemo(kube, demo, data), /holds the demo of a ControlPlane\. .* without --only/);
});
