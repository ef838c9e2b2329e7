// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { apiServer } from '@forge/apiserver/api-server.ts';
import { inProcessTransport } from '@forge/apiserver/in-process-transport.ts';
import { client, type Client } from '@forge/kube/client/client.ts';
import { CustomResourceDefinition, Namespace } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import { seededRandom } from '@forge/runtime/testing/seeded-random.ts';
import { virtualClock } from '@forge/runtime/testing/virtual-clock.ts';
import { Keystone } from '../keystone.ts';
import { keystoneFixture } from './keystone-fixture.ts';

async function cluster(): Promise<Client> {
  const api = client(inProcessTransport(await apiServer({ clock: virtualClock(), random: seededRandom() })));
  await api.create(CustomResourceDefinition, crdOf(Keystone));
  await api.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'openstack' } });
  return api;
}

const { database, cache } = keystoneFixture().spec;
const { host, ...anywhere } = database;
const { servers, ...unserved } = cache;
const clusterRef = { name: 'backing' };

const refused: readonly { name: string; change: Partial<Keystone['spec']>; says: string }[] = [
  {
    name: 'no database',
    change: { database: anywhere },
    says: 'spec.database: Invalid value: exactly one of clusterRef or host must be set',
  },
  {
    name: 'two databases',
    change: { database: { ...anywhere, host: host ?? '', clusterRef } },
    says: 'spec.database: Invalid value: exactly one of clusterRef or host must be set',
  },
  {
    name: 'no cache',
    change: { cache: { ...unserved, servers: [] } },
    says: 'spec.cache: Invalid value: exactly one of clusterRef or servers must be set',
  },
  {
    name: 'two caches',
    change: { cache: { ...unserved, servers: servers ?? [], clusterRef } },
    says: 'spec.cache: Invalid value: exactly one of clusterRef or servers must be set',
  },
];

describe('the API server refuses a Keystone with', () => {
  for (const { name, change, says } of refused) {
    test(name, async () => {
      const api = await cluster();
      await assert.rejects(api.create(Keystone, keystoneFixture(change)), (error: Error) => {
        assert.ok(
          error.message.includes(`Keystone.keystone.openstack.c5c3.io "identity" is invalid: ${says}`),
          error.message,
        );
        return true;
      });
    });
  }

  test('nothing wrong with one database and one cache, wherever they are', async () => {
    const api = await cluster();
    const managed = { database: { ...anywhere, clusterRef }, cache: { ...unserved, clusterRef } };
    await api.create(Keystone, keystoneFixture(managed));
    await api.delete(Keystone, { namespace: 'openstack', name: 'identity' });
    await api.create(Keystone, keystoneFixture());
  });
});
