// SPDX-License-Identifier: Apache-2.0
// Not a test of the project: input for run-tests.test.ts.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

describe('a suite', { concurrency: true }, () => {
  test('passes', () => {});

  test('fails', () => assert.fail('as expected'));
});

test('fails alone', () => assert.fail('as expected'));
