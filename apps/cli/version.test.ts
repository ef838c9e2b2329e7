// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

test('every package has the version that forge --version prints', () => {
  const root = new URL('../../', import.meta.url);
  const files = globSync('{.,apps/*,operators/*,packages/*}/package.json', { cwd: root });
  assert.ok(files.length > 5, `only ${files.length} packages found`);
  const versions = files.map((file) => {
    const { version } = JSON.parse(readFileSync(new URL(file, root), 'utf8')) as { version: string };
    return `${file} ${version}`;
  });
  const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as { version: string };
  assert.deepEqual(
    versions.filter((line) => !line.endsWith(` ${version}`)),
    [],
  );
});
