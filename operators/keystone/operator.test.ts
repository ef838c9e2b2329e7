// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { apiServer } from '@forge/apiserver/api-server.ts';
import { inProcessTransport } from '@forge/apiserver/wire/in-process-transport.ts';
import { client } from '@forge/kube/client/client.ts';
import { CustomResourceDefinition, Namespace } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import { runOperator } from '@forge/runtime/process/run-operator.ts';
import { seededRandom } from '@forge/runtime/testing/seeded-random.ts';
import { virtualClock } from '@forge/runtime/testing/virtual-clock.ts';
import { seconds } from '@forge/runtime/time/duration.ts';
import { Keystone } from './keystone.ts';
import { keystoneOperator } from './operator.ts';
import { keystoneFixture, managedDatabase } from './test/keystone-fixture.ts';
import { home } from './test/keystone-operator.ts';

const kubeconfig = `
current-context: c
contexts: [{ name: c, context: { cluster: c, user: u } }]
clusters: [{ name: c, cluster: { server: 'https://127.0.0.1:1' } }]
`;

describe('the operator process', () => {
  test('asks for the ClusterSecretStore that its flag names', async () => {
    const clock = virtualClock();
    const server = await apiServer({ clock, random: seededRandom() });
    const transport = inProcessTransport(server);
    const api = client(transport);
    await api.create(CustomResourceDefinition, crdOf(Keystone));
    await api.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: home.namespace } });
    await clock.advance(seconds(1));
    await api.create(Keystone, keystoneFixture({ database: managedDatabase }));

    const end = new AbortController();
    const noAddresses = ['metrics', 'health-probe'].map((name) => `--${name}-bind-address=0`);
    const exited = runOperator(keystoneOperator, {
      args: ['--enable-webhooks=false', '--cluster-secret-store=vault', ...noAddresses],
      environment: { KUBECONFIG: '/config' },
      hostname: 'here',
      clock,
      random: seededRandom(),
      readFile: async (path) => (path === '/config' ? kubeconfig : Promise.reject(new Error(`no ${path}`))),
      print: () => {},
      output: { write: () => {}, isTerminal: false },
      connect: () => ({ ...transport, close: async () => {} }),
      usage: () => ({ cpuSeconds: 0, residentBytes: 0, startSeconds: 0 }),
      shutdown: end.signal,
    });
    await clock.until(async () => {
      const { status } = await api.get(Keystone, home);
      return status?.conditions?.some(({ message }) => message.startsWith('ClusterSecretStore "vault" is not ready'));
    });
    end.abort();
    await clock.until(() => exited.then(() => true));
    assert.equal(await exited, 0);
    await server.close();
  });
});
