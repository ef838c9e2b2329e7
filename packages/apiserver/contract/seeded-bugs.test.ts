// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { bugSeeder } from '@forge/runtime/testing/bug-seeder.ts';
import { areas } from './areas.ts';
import { mismatch } from './mismatch.ts';
import { readRecording } from './recording.ts';
import { seededBugs } from './seeded-bugs.ts';
import { unsupported } from './unsupported.ts';
import type { EmbeddedWire } from './wires/embedded-wire.ts';

const entry = new URL('wires/embedded-wire.ts', import.meta.url).href;

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
      const source = { ...bug, file: `packages/${bug.file}` };
      const { embeddedWire } = await seeder.load<{ embeddedWire: () => Promise<EmbeddedWire> }>(source, entry);
      assert.ok(await mismatch(row, recorded, embeddedWire), `"${row.name}" did not notice`);
    });
  }
});
