// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { describe, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { BodyReceiver } from './body-receiver.ts';

/** The stream of a request whose body consists of these chunks. */
function incoming(): IncomingMessage {
  const request = new EventEmitter();
  return Object.assign(request, {
    destroy() {},
    pause: () => request,
    resume: () => request,
  }) as unknown as IncomingMessage;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** The bytes that are in use. */
function heldBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

describe('the receiver of bodies', () => {
  const chunk = Buffer.from('a');

  test('takes a body in chunks of any size', async () => {
    const request = incoming();
    const body = new BodyReceiver(1000).read(request);
    for (const text of ['a', 'bcd', '', 'e'.repeat(5000), 'f']) request.emit('data', Buffer.from(text));
    request.emit('end');
    assert.equal(Buffer.from(await body).toString(), `abcd${'e'.repeat(5000)}f`);
  });

  test('holds little more than the bytes of a body in many chunks', async () => {
    const request = incoming();
    const before = heldBytes();
    const body = new BodyReceiver(1000).read(request);
    for (let sent = 0; sent < 500_000; sent += 1) request.emit('data', Buffer.from(chunk));
    const held = heldBytes() - before;
    request.emit('end');
    assert.equal((await body).length, 500_000);
    assert.ok(held < 20 * 1024 * 1024, `${Math.round(held / 1024 / 1024)} MiB`);
  });

  test('discards the slowest of the bodies that are together too large', async () => {
    const receiver = new BodyReceiver(1000);
    const requests = Array.from({ length: 11 }, incoming);
    const bodies = requests.map((request) => receiver.read(request));
    const settled = Promise.allSettled(bodies);
    for (const request of requests) for (const _ of [1, 2]) request.emit('data', Buffer.alloc(1_550_000));
    for (const request of requests.slice(1)) request.emit('end');
    const outcomes = (await settled).map(({ status }) => status);
    assert.deepEqual(outcomes, ['rejected', ...Array.from({ length: 10 }, () => 'fulfilled')]);
  });
});
