// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { existsSync, globSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { operatorNamed, operators } from './operators.ts';

const here = fileURLToPath(new URL('.', import.meta.url));

describe('the register of operators', () => {
  test('has every folder of an operator', () => {
    const folders = globSync('*/package.json', { cwd: here }).map((file) => file.split('/')[0] ?? '');
    assert.deepEqual(operators.map(({ name }) => name).toSorted(), folders.toSorted());
  });

  for (const { name, operator, kinds } of operators) {
    test(`has all kinds of ${name} and its program`, () => {
      assert.deepEqual(
        kinds.map(({ kind }) => kind),
        operator.kinds,
      );
      assert.ok(existsSync(`${here}/${name}/${operator.name}.mjs`));
    });
  }

  test('names the operators to someone who asks for another', () => {
    assert.throws(() => operatorNamed('nova'), /no operator is named "nova": choose keystone or /);
  });
});
