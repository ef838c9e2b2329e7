// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseYaml as parseYamlOf } from './parse-yaml.ts';

function keys(count: number): Buffer {
  return Buffer.from(Array.from({ length: count }, (_, index) => `k${index}: {a: [b, ${index}]}`).join('\n'));
}

const parseYaml = (bytes: Uint8Array) => parseYamlOf(bytes, 'user');

test('a large document has the value of a small one, also after others that were refused', async () => {
  assert.deepEqual((await parseYaml(Buffer.from('k0: {a: [b, 0]}'))).value, { k0: { a: ['b', 0] } });
  for (let time = 0; time < 3; time += 1) {
    const { value } = await parseYaml(keys(1000));
    assert.deepEqual((value as Record<string, unknown>)['k999'], { a: ['b', 999] });
    await assert.rejects(parseYaml(Buffer.concat([keys(1000), Buffer.from('\nb: [')])), /^SyntaxError: yaml: line/);
  }
});

test('duplicate keys and excessive aliases are rejected', async () => {
  const problem = { name: 'SyntaxError', message: 'yaml: line 3: Map keys must be unique' };
  await assert.rejects(parseYaml(Buffer.from('a: 1\nb: 2\na: 3\n')), problem);
  const levels = Array.from({ length: 9 }, (_, level) => `a${level + 1}: &a${level + 1} [${`*a${level},`.repeat(9)}]`);
  await assert.rejects(parseYaml(Buffer.from(['a0: &a0 lol', ...levels].join('\n'))), /Excessive alias count/);
});

test('users take turns: many texts of one delay another by one of them, and do not refuse it', async () => {
  const parsed: string[] = [];
  const parse = async (user: string): Promise<void> => {
    await parseYamlOf(keys(1000), user);
    parsed.push(user);
  };
  const many = Array.from({ length: 20 }, () => parse('many'));
  const refused = Promise.allSettled(many.slice(5));
  await Promise.all([...many.slice(0, 5), parse('one')]);
  assert.deepEqual(parsed, ['many', 'many', 'one', 'many', 'many', 'many']);
  for (const each of await refused) {
    assert.match(each.status === 'rejected' ? String(each.reason) : '', /sending large YAML documents/);
  }
});

test('a text with aliases waits for its turn, however small it is: it can be a large object', async () => {
  const waiting = Array.from({ length: 5 }, () => parseYamlOf(keys(1000), 'waiting'));
  await assert.rejects(parseYamlOf(Buffer.from('a: &b [c]\nd: *b'), 'waiting'), /sending large YAML documents/);
  assert.deepEqual((await parseYamlOf(Buffer.from('a: [c]\nd: [c]'), 'waiting')).value, { a: ['c'], d: ['c'] });
  await Promise.all(waiting);
});

test('texts that were parsed or refused do not count among those that wait', async () => {
  for (let time = 0; time < 35; time += 1) {
    // An anchor is parsed in the thread, however small the text is.
    assert.deepEqual((await parseYaml(Buffer.from('a: &b c'))).value, { a: 'c' });
    await assert.rejects(parseYaml(Buffer.from('a: &b [')), SyntaxError);
  }
});
