// SPDX-License-Identifier: Apache-2.0
// Not a test of the project: input for run-tests.test.ts.
import { test } from 'node:test';

test('passes alone', () => {});
