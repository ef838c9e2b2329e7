// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkLimits } from './request-limits.ts';

const request = { method: 'GET', path: '/', query: {}, headers: {} };

test('a header has at most 64 KiB', () => {
  checkLimits({ ...request, headers: { accept: 'x'.repeat(65_536) } });
  assert.throws(() => checkLimits({ ...request, headers: { accept: 'x'.repeat(65_537) } }), { code: 431 });
});

test('a query has at most 10,000 parameters, however long they are', () => {
  checkLimits({ ...request, search: `?a=${'x'.repeat(100_000)}` });
  checkLimits({ ...request, search: `?${'a&'.repeat(9999)}a` });
  assert.throws(() => checkLimits({ ...request, search: `?${'a&'.repeat(10_000)}a` }), { code: 400 });
});
