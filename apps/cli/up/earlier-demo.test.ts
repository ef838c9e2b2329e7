// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiServer } from '@forge/apiserver/api-server.ts';
import { inProcessTransport } from '@forge/apiserver/wire/in-process-transport.ts';
import { Keystone } from '@forge/keystone/keystone.ts';
import { client } from '@forge/kube/client/client.ts';
import { CustomResourceDefinition, Namespace } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import { seededRandom } from '@forge/runtime/testing/seeded-random.ts';
import { virtualClock } from '@forge/runtime/testing/virtual-clock.ts';
import { openbao } from '../openbao/openbao-objects.ts';
import { demo, demoManifests } from './demo.ts';
import { refuseEarlierDemo } from './earlier-demo.ts';

const namespace = (name: string): Namespace => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });

test('a folder with a Keystone of an earlier version is refused; one that the user put there since is not', async () => {
  const clock = virtualClock();
  const kube = client(inProcessTransport(await apiServer({ clock, random: seededRandom() })));
  const data = { dir: '/data' };
  await refuseEarlierDemo(kube, data);

  await kube.create(CustomResourceDefinition, crdOf(Keystone));
  await clock.settle();
  await kube.create(Namespace, namespace(demo.namespace));
  const [keystone] = demoManifests('http://127.0.0.1:1/v3').flatMap(({ kind, object }) =>
    kind.kind === Keystone.kind ? [object as Keystone] : [],
  );
  assert.ok(keystone);
  const { clusterRef: _, ...database } = keystone.spec.database;
  const spec = { ...keystone.spec, database: { ...database, host: 'mariadb.openstack.svc' } };
  await kube.create(Keystone, { ...keystone, spec });
  await assert.rejects(
    refuseEarlierDemo(kube, data),
    /^CliError: \/data holds a Keystone of an earlier version.* Nothing was changed\. Start with another folder/,
  );

  await kube.create(Namespace, namespace(openbao.namespace));
  await refuseEarlierDemo(kube, data);
});
