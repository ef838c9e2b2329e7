// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import type { ServerResponse as HttpResponse } from 'node:http';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { jsonPayload, type Payload } from '../messages/payload.ts';
import { BatchedWriter } from './batched-writer.ts';
import { sendEvents } from './send-events.ts';

const minute = 60_000;

test('a watch that ends while its client is slow sends all events', async () => {
  const taken: string[] = [];
  const waiting: (() => void)[] = [];
  const take = () => waiting.shift()?.();
  const caller = new Writable({
    highWaterMark: 1,
    write(bytes: Buffer, _encoding, done) {
      taken.push(bytes.toString());
      waiting.push(done);
    },
  });
  const first = Promise.withResolvers<void>();
  const events = async function* (): AsyncGenerator<Payload> {
    yield jsonPayload(1);
    await first.promise;
    yield jsonPayload(2);
  };
  const sent = sendEvents(events(), caller as HttpResponse, new BatchedWriter(), minute);
  await setImmediate();
  await setImmediate();
  // The client has not read the first event yet.
  first.resolve();
  await setImmediate();
  take();
  await setImmediate();
  await setImmediate();
  take();
  await sent;
  assert.equal(taken.join(''), '12');
});
