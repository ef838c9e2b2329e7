// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { bugSeeder } from '@forge/testing/bugs/bug-seeder.ts';
import { areas } from './areas.ts';
import { mismatch } from './mismatch.ts';
import { readRecording } from './recording.ts';
import { seededBugs } from './seeded-bugs.ts';
import { unsupported } from './unsupported.ts';
import type { EmbeddedWire } from './wires/embedded-wire.ts';

const entry = new URL('wires/embedded-wire.ts', import.meta.url).href;

describe('a case detects that', () => {
  const seeder = bugSeeder();
  after(() => seeder.end());

  for (const bug of seededBugs) {
    test(bug.name, async () => {
      const [area, cases] =
        Object.entries(areas).find(([, each]) => each.some(({ name }) => name === bug.caughtBy)) ?? [];
      const testCase = cases?.find(({ name }) => name === bug.caughtBy);
      assert.ok(area !== undefined && testCase !== undefined, `"${bug.caughtBy}" is not a case`);
      const recorded = (await readRecording(area))[testCase.name];
      assert.ok(!(testCase.name in unsupported), `"${testCase.name}" fails without the bug`);
      const source = { ...bug, file: `packages/${bug.file}` };
      const { embeddedWire } = await seeder.load<{ embeddedWire: () => Promise<EmbeddedWire> }>(source, entry);
      assert.ok(await mismatch(testCase, recorded, embeddedWire), `"${testCase.name}" did not detect the bug`);
    });
  }
});
