// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { noNamespaces } from '../test/no-namespaces.ts';
import { podDialer } from './pod-dialer.ts';

describe('a pod dialer', () => {
  test('opens connections with early data and half-close, and reports failures', async () => {
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      socket.write('welcome ');
      socket.pipe(socket);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const dialer = podDialer(noNamespaces, '/nowhere');
    const sockets = await Promise.all([dialer.dial(port), dialer.dial(port)]);
    const answers = sockets.map((socket, index) => {
      socket.end(`caller ${index}`);
      return text(socket);
    });
    assert.deepEqual(await Promise.all(answers), ['welcome caller 0', 'welcome caller 1']);

    server.close();
    await assert.rejects(dialer.dial(1), { message: 'dial tcp 127.0.0.1:1: connect: connection refused' });
    await assert.rejects(dialer.dial(0), { message: '0 is not a valid port' });
    dialer.close();
  });

  test('whose process exits rejects pending connections, and starts another process for the next ones', async () => {
    const dialer = podDialer({ ...noNamespaces, nsenter: ['false'] }, '/nowhere');
    for (const _ of [1, 2, 3]) {
      const dialled = await Promise.allSettled([dialer.dial(80), dialer.dial(81)]);
      assert.deepEqual(
        dialled.map(({ status }) => status),
        ['rejected', 'rejected'],
      );
    }
  });
});
