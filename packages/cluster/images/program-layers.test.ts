// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { layerCache } from './layer-cache.ts';
import { ensureBundle } from './program-layers.ts';

test('the bundle of a program runs without its sources, and a changed source gives another layer', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'forge-program-'));
  try {
    const [entry, imported] = [join(dir, 'greet.mjs'), join(dir, 'text.ts')];
    const write = (text: string) => writeFile(imported, `export const text: string = '${text}';\n`);
    await writeFile(entry, `import { text } from './text.ts';\nconsole.log(text);\n`);
    const recipe = { name: 'greet', path: '/opt/program', entry: pathToFileURL(entry) };
    const options = { layers: layerCache(join(dir, 'cache')), progress: () => {} };

    await write('hello');
    const first = await ensureBundle(recipe, options);
    const unchanged = await ensureBundle(recipe, options);
    await write('good day');
    const changed = await ensureBundle(recipe, options);

    assert.deepEqual(unchanged, first);
    assert.notEqual(changed.digest, first.digest);
    await rm(imported);
    const outputs = [first, changed].map(({ folder }) =>
      promisify(execFile)(process.execPath, [join(folder, 'greet.mjs')]),
    );
    assert.deepEqual(
      (await Promise.all(outputs)).map(({ stdout }) => stdout),
      ['hello\n', 'good day\n'],
    );
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
});
