// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import type { Status } from '@forge/kube/errors/api-error.ts';
import { badClient, type BadClient } from './bad-client.ts';
import { badRequests, largeRequests } from './bad-requests.ts';
import { servedServer, type ServedServer } from './served-server.ts';

// The exact answers are in the conformance suite.
describe('bad input over HTTPS', () => {
  let served: ServedServer;
  let client: BadClient;

  before(async () => {
    served = await servedServer();
    client = await badClient(served);
  });
  after(async () => {
    client.close();
    await served[Symbol.asyncDispose]();
  });

  for (const bad of [...badRequests, ...largeRequests]) {
    test(`is rejected: ${bad.method} ${bad.path} ${bad.body.slice(0, 60)}`, async () => {
      const { status, body } = await client.send(bad);
      const refusal = JSON.parse(body) as Status;
      assert.deepEqual([status, refusal.kind, refusal.code], [bad.status, 'Status', bad.status], body);
    });
  }

  test('a connection that breaks midway does not block others', async () => {
    const silent = connect(client.port, '127.0.0.1');
    const garbled = connect(client.port, '127.0.0.1').on('error', () => {});
    garbled.write('GET / HTTP/1.1\r\n\r\n');
    const halfSent = connectTls({ port: client.port, host: '127.0.0.1', rejectUnauthorized: false });
    await once(halfSent, 'secureConnect');
    halfSent.write(
      'POST /api/v1/namespaces/default/configmaps HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{"kind":',
    );
    assert.equal(
      (await client.send({ method: 'GET', path: '/readyz', type: 'text/plain', body: '', status: 200 })).body,
      'ok',
    );
    for (const socket of [silent, garbled, halfSent]) socket.destroy();
  });
});
