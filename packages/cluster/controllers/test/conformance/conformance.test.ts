// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { areas } from './areas.ts';
import { mismatch } from './mismatch.ts';
import { namespaceOf } from './play.ts';
import { readRecording } from './recording.ts';

describe('the controllers behave as kube-controller-manager does', () => {
  for (const [area, cases] of Object.entries(areas)) {
    describe(area, () => {
      for (const testCase of cases) {
        test(testCase.name, async () => {
          const problem = await mismatch(testCase, (await readRecording(area))[testCase.name]);
          assert.ok(problem === undefined, problem);
        });
      }
    });
  }
});

describe('the conformance suite of the controllers', () => {
  test('has at least 40 cases, each with a name and namespace of its own', () => {
    const cases = Object.values(areas).flat();
    assert.ok(cases.length >= 40, `${cases.length} cases`);
    assert.equal(new Set(cases.map(namespaceOf)).size, cases.length);
  });

  test('has no recording of a removed testCase or area', async () => {
    const files = await readdir(new URL('./recorded/', import.meta.url));
    const names = Object.keys(areas).map((area) => `${area}.json`);
    assert.deepEqual(files.toSorted(), names.toSorted());
    for (const [area, cases] of Object.entries(areas)) {
      const recorded = Object.keys(await readRecording(area));
      assert.deepEqual(
        recorded,
        cases.map(({ name }) => name),
      );
    }
  });
});
