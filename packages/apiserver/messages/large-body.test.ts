// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLarge, sentSizeOf } from './large-body.ts';

test('a request is large above 32 KiB, and when it does not declare its length', () => {
  const sent = [{}, { 'content-length': '32768' }, { 'content-length': '32769' }, { 'transfer-encoding': 'chunked' }];
  assert.deepEqual(
    sent.map((headers) => isLarge(sentSizeOf({ headers }))),
    [false, false, true, true],
  );
});
