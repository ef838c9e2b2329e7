// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { serveEndpoints } from './serve-endpoints.ts';

describe('the endpoints of an operator', () => {
  test('name the address that is taken, and what to do', async () => {
    await using first = await serveEndpoints({ host: '127.0.0.1', port: 0 }, {});
    assert.ok(first.port !== undefined);
    await assert.rejects(
      serveEndpoints({ host: '127.0.0.1', port: first.port }, {}),
      new RegExp(`Cannot listen on 127\\.0\\.0\\.1:${first.port} \\(listen EADDRINUSE.*choose another port`),
    );
  });
});
