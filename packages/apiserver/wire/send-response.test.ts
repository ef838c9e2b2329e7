// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import type { ServerResponse as HttpResponse } from 'node:http';
import { Writable } from 'node:stream';
import { describe, test } from 'node:test';
import { BatchedWriter } from './batched-writer.ts';
import { sendResponse } from './send-response.ts';

/** A response whose client reads one part each time the function is called. */
function responseTo(read: (done: () => void) => void): { response: HttpResponse; taken: Buffer[] } {
  const taken: Buffer[] = [];
  const caller = new Writable({
    write(bytes: Buffer, _encoding, done) {
      taken.push(bytes);
      read(done);
    },
  });
  const response = Object.assign(caller, { req: { method: 'GET' }, writeHead() {} });
  return { response: response as unknown as HttpResponse, taken };
}

describe('a large response', () => {
  const text = 'a'.repeat(1_000_000);
  const options = { writer: new BatchedWriter(), stallTimeout: 100 };

  test('ends when its client reads nothing', async () => {
    const { response } = responseTo(() => {});
    const sent = sendResponse({ status: 200, text }, response, AbortSignal.timeout(60_000), options);
    await assert.rejects(sent, /the client reads nothing/);
  });

  test('is sent to a client that takes longer for all of it than it may for a part', async () => {
    const { response, taken } = responseTo((done) => setTimeout(done, 40));
    await sendResponse({ status: 200, text }, response, AbortSignal.timeout(60_000), options);
    await new Promise((resolve) => response.once('finish', resolve));
    assert.equal(Buffer.concat(taken).toString(), text);
  });
});
