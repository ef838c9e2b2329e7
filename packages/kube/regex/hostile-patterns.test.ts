// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { structuralErrors } from '../schema/structural.ts';
import { validateValue } from '../schema/validate.ts';
import { compiling, matching } from './test/hostile-patterns.ts';

// `npm run bench hostile` measures their time.
describe('a hostile pattern', () => {
  for (const [name, [pattern, value]] of Object.entries(matching)) {
    test(`does not keep the server busy: ${name}`, () => {
      const [error] = validateValue(value, { type: 'string', pattern });
      assert.match(error?.message ?? '', /should match|takes too long to match/);
    });
  }

  for (const [name, schema] of Object.entries(compiling)) {
    test(`is refused when it is written: ${name}`, () => {
      const [error] = structuralErrors(schema, 'schema');
      assert.match(error?.message ?? '', /expression too large|take too long to compile/);
    });
  }
});
