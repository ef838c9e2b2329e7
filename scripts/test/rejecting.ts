// SPDX-License-Identifier: Apache-2.0
// Not a test of the project: input for run-tests.test.ts.
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';

test('passes although a promise is rejected', async () => {
  void Promise.reject(new Error('nobody caught this'));
  await setImmediate();
});
