// SPDX-License-Identifier: Apache-2.0
// Not one of our tests: input for the test of test runs.
import { test } from 'node:test';

test('passes alone', () => {});
