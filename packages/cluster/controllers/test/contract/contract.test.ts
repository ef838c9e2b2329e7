// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { areas } from './areas.ts';
import { mismatch } from './mismatch.ts';
import { namespaceOf } from './play.ts';
import { readRecording } from './recording.ts';

describe('the controllers behave as kube-controller-manager does', () => {
  for (const [area, rows] of Object.entries(areas)) {
    describe(area, () => {
      for (const row of rows) {
        test(row.name, async () => {
          const problem = await mismatch(row, (await readRecording(area))[row.name]);
          assert.ok(problem === undefined, problem);
        });
      }
    });
  }
});

describe('the contract of the controllers', () => {
  test('has at least 40 rows, each with a name and namespace of its own', () => {
    const rows = Object.values(areas).flat();
    assert.ok(rows.length >= 40, `${rows.length} rows`);
    assert.equal(new Set(rows.map(namespaceOf)).size, rows.length);
  });

  test('has no recording of a removed row or area', async () => {
    const files = await readdir(new URL('recorded/', import.meta.url));
    const names = Object.keys(areas).map((area) => `${area}.json`);
    assert.deepEqual(files.toSorted(), names.toSorted());
    for (const [area, rows] of Object.entries(areas)) {
      const recorded = Object.keys(await readRecording(area));
      assert.deepEqual(
        recorded,
        rows.map(({ name }) => name),
      );
    }
  });
});
