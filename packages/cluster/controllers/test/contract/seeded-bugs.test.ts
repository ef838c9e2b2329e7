// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { bugSeeder } from '@forge/runtime/testing/bug-seeder.ts';
import { areas } from './areas.ts';
import type { embeddedStage } from './embedded-stage.ts';
import { mismatch } from './mismatch.ts';
import { readRecording } from './recording.ts';
import { seededBugs } from './seeded-bugs.ts';

const entry = new URL('embedded-stage.ts', import.meta.url).href;

describe('a row detects that', () => {
  const seeder = bugSeeder();
  after(() => seeder.end());

  for (const bug of seededBugs) {
    test(bug.name, async () => {
      const [area, rows] = Object.entries(areas).find(([, each]) => each.some(({ name }) => name === bug.row)) ?? [];
      const row = rows?.find(({ name }) => name === bug.row);
      assert.ok(area !== undefined && row !== undefined, `"${bug.row}" is no row`);
      const source = { ...bug, file: `packages/${bug.file}` };
      const seeded = await seeder.load<{ embeddedStage: typeof embeddedStage }>(source, entry);
      const recorded = (await readRecording(area))[row.name];
      assert.ok(await mismatch(row, recorded, seeded.embeddedStage), `"${row.name}" did not notice`);
    });
  }
});
