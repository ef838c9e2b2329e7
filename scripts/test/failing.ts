// SPDX-License-Identifier: Apache-2.0
// Not one of our tests: input for the test of test runs.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

describe('a suite', { concurrency: true }, () => {
  test('passes', () => {});

  test('fails', () => assert.fail('as it shall'));
});

test('fails alone', () => assert.fail('as it shall'));
