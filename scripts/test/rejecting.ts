// SPDX-License-Identifier: Apache-2.0
// Not one of our tests: input for the test of test runs.
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';

test('passes although something failed meanwhile', async () => {
  void Promise.reject(new Error('nobody caught this'));
  await setImmediate();
});
