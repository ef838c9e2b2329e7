// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import type { EndpointSlice, Service } from '@forge/kube/kinds/builtin.ts';
import { serviceProxy } from './service-proxy.ts';

/** A server that replies with its name and what it received, once the client has finished. */
async function backend(name: string): Promise<{ server: Server; port: number }> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    void text(socket).then((received) => socket.end(`${name} received ${received}`));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

async function ask(port: number): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
  socket.end('hello');
  return text(socket);
}

test('a Service address balances over its endpoints, and rejects connections when there are none', async () => {
  const [one, two] = await Promise.all([backend('one'), backend('two')]);
  // Below the ephemeral port range.
  const servicePort = 20_000 + Math.floor(10_000 * Math.random());
  const service: Service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web', namespace: 'default' },
    spec: { clusterIP: '127.0.0.1', ports: [{ port: servicePort }] },
  };
  const slices = [one, two].map(({ port }): EndpointSlice => ({
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: 'web', namespace: 'default', labels: { 'kubernetes.io/service-name': 'web' } },
    addressType: 'IPv4',
    ports: [{ port }],
    endpoints: [{ addresses: ['127.0.0.1'] }],
  }));
  const proxy = serviceProxy(assert.fail);
  try {
    await proxy.update([service], slices);
    assert.deepEqual(await Promise.all([ask(servicePort), ask(servicePort)]), [
      'one received hello',
      'two received hello',
    ]);
    await proxy.update([service], slices.slice(1));
    assert.equal(await ask(servicePort), 'two received hello');
    await proxy.update([service], []);
    await assert.rejects(ask(servicePort), { code: 'ECONNREFUSED' });
  } finally {
    await proxy.update([], []);
    one.server.close();
    two.server.close();
  }
});
