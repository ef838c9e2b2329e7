// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { roomProblems } from './rooms.ts';
import { subjectProblem } from './subject.ts';

const keystone = 'operators/keystone';
const files = globSync(`${keystone}/**/*.ts`, { exclude: (name) => name.endsWith('node_modules') });
const problemsWith = (...more: readonly string[]) => roomProblems(keystone, [...files, ...more]);

describe('the rooms of a package', () => {
  test('are refused when they are not declared', () => {
    const [problem = ''] = problemsWith(`${keystone}/drawer/one.ts`, `${keystone}/drawer/two.ts`);
    assert.equal(problem, `${keystone}/drawer is not declared in scripts/layers/layers.ts`);
  });

  test('are refused when they do not exist', () => {
    const without = files.filter((file) => !file.startsWith(`${keystone}/clients/`));
    assert.deepEqual(roomProblems(keystone, without), [`${keystone}/clients is declared but does not exist`]);
  });

  test('are refused when they are too large', () => {
    const many = Array.from({ length: 22 }, (_, index) => `${keystone}/steps/keys/part-${index}.ts`);
    assert.deepEqual(problemsWith(...many), [`${keystone}/steps/keys has 27 source files; 22 at most`]);
  });

  test('are refused, as are folders within them, without a README or with a single source file', () => {
    assert.deepEqual(problemsWith(`${keystone}/objects/loose/one.ts`, `${keystone}/objects/loose/one.test.ts`), [
      `${keystone}/objects/loose has no README.md that begins with its subject`,
      `${keystone}/objects/loose is one source file: move it to another room, or add what belongs to it`,
    ]);
  });
});

describe('the subject of a room', () => {
  const subjects = {
    '# keys\n\nKeys of a Keystone: made, rotated, and kept.\n\nDetails; and more of them.': /^$/,
    '': /has no README\.md/,
    '# keys\n\nKeys, and their rotation.': /names two subjects: "Keys, and their rotation\."/,
    '# keys\n\nKeys; their rotation.': /names two subjects/,
    [`# keys\n\nKeys ${'of keys '.repeat(20)}.`]: /longer than 140 characters/,
  };
  for (const [text, expected] of Object.entries(subjects)) {
    test(`is judged by the first sentence of its README: ${JSON.stringify(text.slice(0, 40))}`, async () => {
      const room = await mkdtemp(join(tmpdir(), 'forge-room-'));
      try {
        await writeFile(join(room, 'README.md'), text);
        assert.match(subjectProblem(room).join('\n'), expected);
      } finally {
        await rm(room, { recursive: true });
      }
    });
  }
});
