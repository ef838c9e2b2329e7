// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { ConfigMap } from '../kinds/builtin.ts';
import { client } from './client.ts';
import { pages } from './pages.ts';
import type { Transport } from './transport.ts';

/** A server of pages 0 to 4; it reports the continue token before it responds. */
function served(answer: (page: number) => Promise<void>): { transport: Transport; asked: number[]; limits: number[] } {
  const asked: number[] = [];
  const limits: number[] = [];
  return {
    asked,
    limits,
    transport: {
      async request({ query = {}, onContinue }) {
        const page = Number(query['continue'] ?? 0);
        asked.push(page);
        limits.push(Number(query['limit']));
        const next = page < 4 ? { continue: String(page + 1) } : {};
        await setImmediate();
        if (next.continue !== undefined) onContinue?.(next.continue);
        await answer(page);
        return { status: 200, body: { metadata: { resourceVersion: '1', ...next }, items: [] } };
      },
      stream: () => assert.fail('no watch is expected'),
    },
  };
}

test('the next page is requested once, before the current one is decoded', async () => {
  const asked: number[][] = [];
  const server = served(async () => void asked.push([...server.asked]));
  const read = await Array.fromAsync(pages(client(server.transport), ConfigMap, { limit: 1 }));
  assert.equal(read.length, 5);
  assert.deepEqual(asked, [
    [0, 1],
    [0, 1, 2],
    [0, 1, 2, 3],
    [0, 1, 2, 3, 4],
    [0, 1, 2, 3, 4],
  ]);
});

test('the pages of a long list grow, at most to half of what was read before', async () => {
  const server = served(async () => {});
  await Array.fromAsync(pages(client(server.transport), ConfigMap, { limit: 500 }));
  assert.deepEqual(server.limits, [500, 500, 500, 750, 1125]);
});

test('a slow reader has few pages buffered', async () => {
  const server = served(async () => {});
  for await (const _ of pages(client(server.transport), ConfigMap, { limit: 1 })) {
    for (let turn = 0; turn < 20; turn += 1) await setImmediate();
    break;
  }
  assert.deepEqual(server.asked, [0, 1, 2]);
});

test('the page after the next is requested only when the reader gets there, even if its token is known earlier', async () => {
  const first = Promise.withResolvers<void>();
  const server = served(async (page) => (page === 0 ? first.promise : undefined));
  const reading = pages(client(server.transport), ConfigMap, { limit: 1 });
  const next = reading.next();
  for (let turn = 0; turn < 5; turn += 1) await setImmediate();
  assert.deepEqual(server.asked, [0, 1]);
  first.resolve();
  await next;
  assert.deepEqual(server.asked, [0, 1, 2]);
});

test('an error of the next page is thrown when it is read', async () => {
  const server = served(async (page) => {
    if (page === 1) throw new Error('no more');
  });
  const reading = pages(client(server.transport), ConfigMap, { limit: 1 });
  assert.equal((await reading.next()).done, false);
  for (let turn = 0; turn < 5; turn += 1) await setImmediate();
  await assert.rejects(reading.next(), /no more/);
});
