// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differences } from './differences.ts';
import type { Exchange } from './exchange.ts';

const created: Exchange = { request: 'POST /a', status: 201, body: { list: [1, null], 'f:x': {} } };

test('equal conversations have no differences, whatever the order of fields', () => {
  assert.deepEqual(differences([created], [{ ...created, body: { 'f:x': {}, list: [1, null] } }]), []);
});

test('a difference names the exchange, the path and both values', () => {
  const ours: Exchange = { request: 'POST /a', status: 200, body: { list: [1] } };
  assert.deepEqual(differences([created, created], [ours]), [
    '1. POST /a',
    '   status: real 201, ours 200',
    '   body.list[1]: real null, ours nothing',
    '   body["f:x"]: real {}, ours nothing',
    '2. POST /a: sent to the real server only',
  ]);
});
