// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { EndpointSlice, Service } from '@forge/kube/kinds/builtin.ts';
import { serviceProxy } from './service-proxy.ts';

const unlimited = { admit: () => true };

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

/** A Service at this port of the loopback. */
function serviceAt(port: number): Service {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web', namespace: 'default' },
    spec: { clusterIP: '127.0.0.1', ports: [{ port }] },
  };
}

/** The slice of that Service with one endpoint. */
function sliceOf({ port }: { port: number }): EndpointSlice {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: 'web', namespace: 'default', labels: { 'kubernetes.io/service-name': 'web' } },
    addressType: 'IPv4',
    ports: [{ port }],
    endpoints: [{ addresses: ['127.0.0.1'] }],
  };
}

/** A port below the ephemeral range. */
const freePort = () => 20_000 + Math.floor(10_000 * Math.random());

describe('a Service address', () => {
  let one: Awaited<ReturnType<typeof backend>>;
  let two: Awaited<ReturnType<typeof backend>>;
  let servicePort: number;

  beforeEach(async () => {
    [one, two] = await Promise.all([backend('one'), backend('two')]);
    servicePort = freePort();
  });

  afterEach(() => {
    one.server.close();
    two.server.close();
  });

  test('balances over its endpoints, and rejects connections when there are none', async () => {
    const service = serviceAt(servicePort);
    const proxy = serviceProxy(unlimited, assert.fail);
    try {
      await proxy.update([service], [sliceOf(one), sliceOf(two)]);
      assert.deepEqual(await Promise.all([ask(servicePort), ask(servicePort)]), [
        'one received hello',
        'two received hello',
      ]);
      await proxy.update([service], [sliceOf(two)]);
      assert.equal(await ask(servicePort), 'two received hello');
      await proxy.update([service], []);
      await assert.rejects(ask(servicePort), { code: 'ECONNREFUSED' });
    } finally {
      await proxy.update([], []);
    }
  });

  test('keeps open connections to a pod that is no longer an endpoint, so that they can drain', async () => {
    const proxy = serviceProxy(unlimited, assert.fail);
    await proxy.update([serviceAt(servicePort)], [sliceOf(one)]);
    const reached = once(one.server, 'connection');
    const socket = connect({ host: '127.0.0.1', port: servicePort, allowHalfOpen: true });
    const answer = text(socket);
    await reached;
    await proxy.update([serviceAt(servicePort)], []);
    socket.end('a last request');
    assert.equal(await answer, 'one received a last request');
  });

  test('forwards no connection beyond the limits of its pod', async () => {
    let reached = 0;
    one.server.on('connection', () => (reached += 1));
    const refusing = {
      admit(socket: Socket) {
        socket.destroy();
        return false;
      },
    };
    const proxy = serviceProxy(refusing, assert.fail);
    try {
      await proxy.update([serviceAt(servicePort)], [sliceOf(one)]);
      assert.equal(await ask(servicePort).catch(() => ''), '');
      assert.equal(reached, 0);
    } finally {
      await proxy.update([], []);
    }
  });

  test('that is removed while it is being opened is not served', { timeout: 10_000 }, async () => {
    const proxy = serviceProxy(unlimited, assert.fail);
    await Promise.all([proxy.update([serviceAt(servicePort)], [sliceOf(one)]), proxy.update([], [])]);
    await assert.rejects(ask(servicePort), { code: 'ECONNREFUSED' });
  });

  test('that is in use is reported, and is served after the next update once it is free', async () => {
    const problems: string[] = [];
    const proxy = serviceProxy(unlimited, (problem) => problems.push(problem));
    const occupant = createServer();
    await once(occupant.listen(servicePort, '127.0.0.1'), 'listening');
    await proxy.update([serviceAt(servicePort)], [sliceOf(one)]);
    assert.match(problems.join(), /^Service address 127\.0\.0\.1:\d+ cannot be served: listen EADDRINUSE/);
    await once(occupant.close(), 'close');
    try {
      await proxy.update([serviceAt(servicePort)], [sliceOf(one)]);
      assert.equal(await ask(servicePort), 'one received hello');
    } finally {
      await proxy.update([], []);
    }
  });
});
