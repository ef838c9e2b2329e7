// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { relay } from './relay.ts';

test('the relay forwards connections that the limits admit, and no other', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'forge-relay-'));
  context.after(() => rm(folder, { recursive: true }));
  const socketPath = join(folder, 'api.sock');
  let reached = 0;
  const outside = createServer((socket) => {
    reached += 1;
    socket.end('outside');
  });
  await once(outside.listen(socketPath), 'listening');
  context.after(() => outside.close());
  const stop = new AbortController();
  context.after(() => stop.abort());
  // Below the ephemeral range.
  const port = 20_000 + Math.floor(10_000 * Math.random());
  let left = 1;
  const limits = {
    admit(socket: Socket) {
      left -= 1;
      if (left < 0) socket.destroy();
      return left >= 0;
    },
  };
  await relay({ host: '127.0.0.1', port }, socketPath, limits, stop.signal);
  const received = () => text(connect(port, '127.0.0.1').end('hello')).catch(() => '');
  assert.equal(await received(), 'outside');
  assert.equal(await received(), '');
  assert.equal(reached, 1);
});
