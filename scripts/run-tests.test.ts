// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Tally } from './tally.ts';

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const root = here('..');

/** The lines of a test run of this file, and its exit code. */
async function runTests(...args: readonly string[]): Promise<{ lines: string[]; code: unknown }> {
  // A nested run would report to the outer one.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const run = spawn(process.execPath, [here('run-tests.ts'), ...args], { cwd: root, env });
  const [output, [code]] = await Promise.all([text(run.stdout), once(run, 'close')]);
  return { lines: output.trimEnd().split('\n'), code };
}

const failures = [
  'failed: scripts/test/failing.ts:9 a suite > fails',
  'failed: scripts/test/failing.ts:12 fails alone',
];

describe('the last lines of a test run', () => {
  test('name each failed test and its file', async () => {
    const { lines, code } = await runTests('scripts/test/failing.ts');
    assert.equal(lines[0], 'TAP version 13');
    assert.deepEqual(lines.slice(-3), [...failures, '1 passed, 2 failed, 0 skipped']);
    assert.equal(code, 1);
  });

  test('sum up all shards', async () => {
    const { lines, code } = await runTests('--shards=2', 'scripts/test/failing.ts', 'scripts/test/passing.ts');
    assert.deepEqual(lines.slice(-3), [...failures, '2 passed, 2 failed, 0 skipped']);
    assert.equal(code, 1);
  });

  test('come after the lines of every file, in the order of the patterns', async () => {
    const patterns = ['scripts/test/passing.ts', 'scripts/test/{failing,passing}.ts'];
    const { lines, code } = await runTests('--each', ...patterns);
    assert.equal(lines.filter((line) => line === 'TAP version 13').length, 2);
    assert.deepEqual(lines.slice(-3), [...failures, '2 passed, 2 failed, 0 skipped']);
    assert.equal(code, 1);
  });

  test('sum up files that ran alone', async () => {
    const { lines, code } = await runTests('--alone', 'scripts/test/{failing,passing}.ts');
    assert.equal(lines.filter((line) => line === 'TAP version 13').length, 2);
    assert.deepEqual(lines.slice(-3), [...failures, '2 passed, 2 failed, 0 skipped']);
    assert.equal(code, 1);
  });

  test('report an uncaught error, although every test passes', async () => {
    const { lines, code } = await runTests('scripts/test/rejecting.ts');
    assert.deepEqual(lines.slice(-2), ['uncaught: Error: nobody caught this', '1 passed, 0 failed, 0 skipped']);
    assert.equal(code, 1);
  });

  test('report that nothing ran', async () => {
    const { lines, code } = await runTests('scripts/test/missing.ts');
    assert.equal(lines.at(-1), '0 passed, 0 failed, 0 skipped');
    assert.equal(code, 1);
  });
});

describe('the tally', () => {
  test('accepts a skipped test only when it is listed, where a list is given', () => {
    const tally = new Tally();
    for (const line of ['ok 1 - needs a program # SKIP', '# tests 1', '# skipped 1']) tally.add(line);
    assert.equal(tally.verdict().ok, true);
    assert.equal(tally.verdict(new Set(['needs a program'])).ok, true);
    const { ok, lines } = tally.verdict(new Set());
    assert.equal(ok, false);
    assert.deepEqual(lines, ['skipped without a listed reason: needs a program', '0 passed, 0 failed, 1 skipped']);
  });
});
