// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { areas } from './areas.ts';
import { bugSeeder } from './bugs/bug-seeder.ts';
import { mismatch } from './mismatch.ts';
import { readRecording } from './recording.ts';
import { seededBugs } from './seeded-bugs.ts';
import { unsupported } from './unsupported.ts';

describe('a row detects that', () => {
  const seeder = bugSeeder();
  after(() => seeder.end());

  for (const bug of seededBugs) {
    test(bug.name, async () => {
      const [area, rows] = Object.entries(areas).find(([, each]) => each.some(({ name }) => name === bug.row)) ?? [];
      const row = rows?.find(({ name }) => name === bug.row);
      assert.ok(area !== undefined && row !== undefined, `"${bug.row}" is no row`);
      const recorded = (await readRecording(area))[row.name];
      assert.ok(!(row.name in unsupported), `"${row.name}" is red anyway`);
      assert.ok(await mismatch(row, recorded, await seeder.seed(bug)), `"${row.name}" did not notice`);
    });
  }
});
