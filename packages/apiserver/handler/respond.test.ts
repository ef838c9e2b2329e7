// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '@forge/runtime/environment/seeded-random.ts';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { apiServer } from '../api-server.ts';

test('a large request that fails ends the turn of its user', { timeout: 20_000 }, async (context) => {
  const server = await apiServer({ clock: virtualClock(), random: seededRandom() });
  context.after(() => server.close());
  const send = async (body: string) => {
    const { status } = await server.handle({
      method: 'POST',
      path: '/api/v1/namespaces/default/configmaps',
      query: {},
      headers: { 'content-type': 'application/json', 'content-length': `${body.length}` },
      user: { name: 'admin', groups: ['system:masters'] },
      readBody: async () => Buffer.from(body),
    });
    return status;
  };
  assert.equal(await send(`{${' '.repeat(40_000)}`), 400);
  assert.equal(await send(JSON.stringify({ metadata: { name: 'a' }, data: { x: 'x'.repeat(40_000) } })), 201);
});
