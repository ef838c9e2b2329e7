// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { SourceBug } from './bug-seeder.ts';

/** A bug of an operator and the test that must fail; both files are below the operator's folder. */
export interface OperatorBug extends SourceBug {
  readonly caughtBy: readonly [file: string, test: string];
  /** What the failing test must report, where it could fail for other reasons. Default: anything. */
  readonly reports?: string;
}

const operators = new URL('../../../operators/', import.meta.url);
const runner = fileURLToPath(new URL('run-with-bug.ts', import.meta.url));
const mostMilliseconds = 300_000;

/** Runs the test of a bug with the bug, in a process of its own; undefined when the test fails, as it must. */
export function whyNotCaught(
  operator: string,
  { name, caughtBy: [, title], reports = '' }: OperatorBug,
): Promise<string | undefined> {
  const pattern = `${title.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}$`;
  // Without this a test process that runs tests reports to the one that started it.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const args = [`--test-name-pattern=${pattern}`, '--test-reporter=spec', runner, operator, name];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env, timeout: mostMilliseconds }, (_error, stdout, stderr) => {
      const isCaught = stdout.includes(`✖ ${title}`);
      if (isCaught && !stdout.includes(reports)) resolve(`"${title}" fails without "${reports}"\n${stdout}`);
      else if (isCaught) resolve(undefined);
      else resolve(`${stdout.includes(`✔ ${title}`) ? `"${title}" passes` : `"${title}" did not run`}\n${stderr}`);
    });
  });
}

/** Declares that each bug can be seeded, and that those of the sample are caught; the others take too long for every run. */
export function declareBugTests(operator: string, bugs: readonly OperatorBug[], sample: readonly string[]): void {
  describe('seeded bugs of the operator', () => {
    for (const { name, file, find, caughtBy } of bugs) {
      test(`can be seeded: ${name}`, () => {
        assert.ok(existsSync(new URL(`${operator}/${caughtBy[0]}`, operators)), `there is no ${caughtBy[0]}`);
        const source = readFileSync(new URL(`${operator}/${file}`, operators), 'utf8');
        assert.equal(source.split(find).length, 2, `its text is not once in ${file}`);
      });
    }

    for (const name of sample) {
      test(`are caught: ${name}`, async () => {
        const bug = bugs.find((each) => each.name === name);
        assert.ok(bug);
        assert.equal(await whyNotCaught(operator, bug), undefined);
      });
    }
  });
}
