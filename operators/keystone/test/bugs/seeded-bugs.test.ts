// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { whyNotCaught } from './run-tests.ts';
import { seededBugs } from './seeded-bugs.ts';

/** The others take too long for every run: npm run bugs:keystone. */
const sample = ['staged keys are not checked against production', 'digests are made without a key'];

describe('seeded bugs of the operator', () => {
  for (const { name, file, find } of seededBugs) {
    test(`can be seeded: ${name}`, () => {
      const source = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
      assert.equal(source.split(find).length, 2, `its text is not once in ${file}`);
    });
  }

  for (const name of sample) {
    test(`are caught: ${name}`, async () => {
      const bug = seededBugs.find((each) => each.name === name);
      assert.ok(bug);
      assert.equal(await whyNotCaught(bug), undefined);
    });
  }
});
