// SPDX-License-Identifier: Apache-2.0
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { SeededBug } from './seeded-bug.ts';

const runner = fileURLToPath(new URL('run-with-bug.ts', import.meta.url));
const mostMilliseconds = 120_000;

/** Runs the test of a bug with the bug, in a process of its own; undefined when the test fails, as it must. */
export function whyNotCaught({ name, caughtBy: [, test] }: SeededBug): Promise<string | undefined> {
  const pattern = `${test.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}$`;
  // Without this a test process that runs tests reports to the one that started it.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const args = [`--test-name-pattern=${pattern}`, '--test-reporter=spec', runner, name];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env, timeout: mostMilliseconds }, (_error, stdout, stderr) => {
      if (stdout.includes(`✖ ${test}`)) resolve(undefined);
      else resolve(`${stdout.includes(`✔ ${test}`) ? `"${test}" passes` : `"${test}" did not run`}\n${stderr}`);
    });
  });
}
