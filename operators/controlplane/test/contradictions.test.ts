// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

const root = new URL('../../../', import.meta.url);
const page = 'docs/decisions/2026-11-16-contradictions-of-control-planes.md';

test('every contradiction of the specification that was resolved names a test that is there', async () => {
  const cases = (await readFile(new URL(page, root), 'utf8')).split('\n').filter((line) => line.includes('.ts`: '));
  assert.ok(cases.length > 30);
  for (const line of cases) {
    const { path = '', name = '' } = /`(?<path>operators\/[^`]+\.ts)`: (?<name>.+?) *\|$/.exec(line)?.groups ?? {};
    const source = await readFile(new URL(path, root), 'utf8');
    assert.ok(source.includes(name), `${path} has no test "${name}", which ${page} names`);
  }
});
