// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const root = here('..');

/** The output of a test run of this file. */
async function report(file: string): Promise<string> {
  const args = ['--test', '--test-isolation=none', `--test-reporter=${here('test-reporter.ts')}`, here(file)];
  // A nested run would report to the outer one.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const run = spawn(process.execPath, args, { cwd: root, env });
  const [output] = await Promise.all([text(run.stdout), once(run, 'close')]);
  return output;
}

const failures = [
  'failed: scripts/test/failing.ts:9 a suite > fails',
  'failed: scripts/test/failing.ts:12 fails alone',
];

describe('the last lines of a test run', () => {
  test('name each failed test and its file', async () => {
    const lines = (await report('test/failing.ts')).trimEnd().split('\n');
    assert.equal(lines[0], 'TAP version 13');
    assert.deepEqual(
      lines.slice(-2),
      failures.map((failure) => `# ${failure}`),
    );
  });

  test('name them in the tally as well', async () => {
    const input = await report('test/failing.ts');
    const { stdout, status } = spawnSync(process.execPath, [here('tally.ts')], { cwd: root, input, encoding: 'utf8' });
    assert.deepEqual(stdout.trimEnd().split('\n').slice(-3), [...failures, '1 passed, 2 failed, 0 skipped']);
    assert.equal(status, 1);
  });
});
