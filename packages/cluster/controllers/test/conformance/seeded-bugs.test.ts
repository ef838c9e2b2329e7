// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { bugSeeder } from '@forge/testing/bugs/bug-seeder.ts';
import { areas } from './areas.ts';
import type { embeddedStage } from './embedded-stage.ts';
import { mismatch } from './mismatch.ts';
import { readRecording } from './recording.ts';
import { seededBugs } from './seeded-bugs.ts';

const entry = new URL('embedded-stage.ts', import.meta.url).href;

describe('a case detects that', () => {
  const seeder = bugSeeder();
  after(() => seeder.end());

  for (const bug of seededBugs) {
    test(bug.name, async () => {
      const [area, cases] =
        Object.entries(areas).find(([, each]) => each.some(({ name }) => name === bug.caughtBy)) ?? [];
      const testCase = cases?.find(({ name }) => name === bug.caughtBy);
      assert.ok(area !== undefined && testCase !== undefined, `"${bug.caughtBy}" is no case`);
      const source = { ...bug, file: `packages/${bug.file}` };
      const seeded = await seeder.load<{ embeddedStage: typeof embeddedStage }>(source, entry);
      const recorded = (await readRecording(area))[testCase.name];
      assert.ok(await mismatch(testCase, recorded, seeded.embeddedStage), `"${testCase.name}" did not notice`);
    });
  }
});
