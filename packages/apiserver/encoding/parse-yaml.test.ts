// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseYaml } from './parse-yaml.ts';

function keys(count: number): Buffer {
  return Buffer.from(Array.from({ length: count }, (_, index) => `k${index}: {a: [b, ${index}]}`).join('\n'));
}

test('a large document has the value of a small one, also after others that were refused', async () => {
  assert.deepEqual((await parseYaml(Buffer.from('k0: {a: [b, 0]}'))).value, { k0: { a: ['b', 0] } });
  for (let time = 0; time < 3; time += 1) {
    const { value } = await parseYaml(keys(1000));
    assert.deepEqual((value as Record<string, unknown>)['k999'], { a: ['b', 999] });
    await assert.rejects(parseYaml(Buffer.concat([keys(1000), Buffer.from('\nb: [')])), /^SyntaxError: yaml: line/);
  }
});

test('keys of a document are unique, and aliases cannot multiply it', async () => {
  const problem = { name: 'SyntaxError', message: 'yaml: line 3: Map keys must be unique' };
  await assert.rejects(parseYaml(Buffer.from('a: 1\nb: 2\na: 3\n')), problem);
  const levels = Array.from({ length: 9 }, (_, level) => `a${level + 1}: &a${level + 1} [${`*a${level},`.repeat(9)}]`);
  await assert.rejects(parseYaml(Buffer.from(['a0: &a0 lol', ...levels].join('\n'))), /Excessive alias count/);
});
