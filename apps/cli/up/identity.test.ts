// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { identity, passwordLogin } from './identity.ts';

test('a login without a response ends at its deadline', async () => {
  const server = createServer(() => undefined);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    await assert.rejects(identity(`http://127.0.0.1:${port}/v3`, 50).login(passwordLogin('secret')), {
      name: 'TimeoutError',
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
