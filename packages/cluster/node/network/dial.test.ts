// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import type { Service } from '@forge/kube/kinds/builtin.ts';
import { serveDial } from './dial-server.ts';
import { dial } from './dial.ts';
import { dnsZone } from './dns-zone.ts';

describe('dialing into the cluster', () => {
  const stop = new AbortController();
  const echo = createServer((socket) => socket.pipe(socket));
  const metadata = { name: 'echo', namespace: 'default' };
  const service: Service = { apiVersion: 'v1', kind: 'Service', metadata, spec: { clusterIP: '127.0.0.1' } };
  const zone = dnsZone([service], []);
  let folder = '';
  let socketPath = '';
  let port = 0;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forge-test-'));
    socketPath = join(folder, 'dial.sock');
    await serveDial(socketPath, () => zone, stop.signal);
    await once(echo.listen(0, '127.0.0.1'), 'listening');
    port = (echo.address() as AddressInfo).port;
  });

  after(async () => {
    stop.abort();
    echo.close();
    await rm(folder, { recursive: true });
  });

  test("connects to a name of the cluster, with or without the cluster's domain", async () => {
    for (const host of ['echo.default.svc.cluster.local', 'echo.default.svc']) {
      const connection = await dial(socketPath, host, port);
      connection.write('hello');
      const [answer] = (await once(connection, 'data')) as [Buffer];
      assert.equal(answer.toString(), 'hello');
      connection.destroy();
    }
  });

  test('does not lose data of a server that sends first, when it arrives with the response of the node', async () => {
    const node = createServer((socket) => void socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\n\r\nwelcome')));
    await once(node.listen(`${socketPath}.first`), 'listening');
    assert.equal(await text(await dial(`${socketPath}.first`, 'echo.default.svc', port)), 'welcome');
    node.close();
  });

  test('retries a Service that does not forward yet', async () => {
    const late = createServer((socket) => socket.end('late'));
    await once(late.listen(0, '127.0.0.1'), 'listening');
    const { port: latePort } = late.address() as AddressInfo;
    late.close();
    await once(late, 'close');
    const connection = dial(socketPath, 'echo.default.svc', latePort);
    late.listen(latePort, '127.0.0.1');
    assert.equal(await text(await connection), 'late');
    late.close();
  });

  test('distinguishes an unknown name from a closed port', async () => {
    await assert.rejects(dial(socketPath, 'nobody.default.svc.cluster.local', 80), { code: 'ENOTFOUND' });
    await assert.rejects(dial(socketPath, '127.0.0.1', 1), { code: 'ECONNREFUSED' });
  });

  test('reports that the node is not running', async () => {
    await assert.rejects(dial(`${socketPath}.gone`, '127.0.0.1', 1), /the node does not answer/);
  });

  test('aborts with its signal when the node does not answer', async () => {
    const hanging = createServer();
    await once(hanging.listen(`${socketPath}.hanging`), 'listening');
    const accepted = once(hanging, 'connection') as Promise<[Socket]>;
    const caller = new AbortController();
    const dialled = dial(`${socketPath}.hanging`, 'echo.default.svc.cluster.local', port, caller.signal);
    const [connection] = await accepted;
    caller.abort(new Error('too late'));
    await assert.rejects(dialled, /^Error: too late$/);
    await once(connection.resume(), 'close');
    hanging.close();
  });

  test('still serves other clients after one disconnected before it was rejected', async () => {
    for (const host of ['nobody.default.svc.cluster.local:80', '127.0.0.1:1']) {
      const leaving = connect(socketPath);
      leaving.write(`CONNECT ${host} HTTP/1.1\r\nHost: node\r\n\r\n`);
      await once(leaving, 'connect');
      leaving.destroy();
    }
    const connection = await dial(socketPath, 'echo.default.svc.cluster.local', port);
    connection.destroy();
  });
});
