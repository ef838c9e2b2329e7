// SPDX-License-Identifier: Apache-2.0
// Runs test files and tells in the last lines what failed:
// `node scripts/run-tests.ts [--shards=N [--first=PATTERN] | --each] PATTERN...`.
// With shards, the files are divided into N test runs, after those of --first, which take long and are a run each; with
// --each, every file is a run, those of the first pattern first. As many run at a time as there are cores, with --each
// one more: those files often wait for programs. With CI=true, a test that is skipped without a listed reason fails the
// run, as does a file that the tests leave behind.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { reportNewFiles } from './clean-tree.ts';
import { listedSkips, Tally } from './tally.ts';

const { values, positionals: patterns } = parseArgs({
  options: {
    shards: { type: 'string', default: '1' },
    first: { type: 'string', default: '' },
    each: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const tally = new Tally();

/** A run that takes longer is ended: a test hangs, or leaves something open, such as a server. */
const longestRun = 20;

/** The files of every run. */
function testRuns(): string[][] {
  const files = [...new Set(patterns.flatMap((pattern) => globSync(pattern).toSorted()))];
  if (values.each) return files.map((file) => [file]);
  const first = globSync(values.first).toSorted();
  const others = files.filter((file) => !first.includes(file));
  const shards = Array.from({ length: Number(values.shards) }, (_, shard) =>
    others.filter((_file, index) => index % Number(values.shards) === shard),
  );
  return [...first.map((file) => [file]), ...shards.filter(({ length }) => length > 0)];
}

/** Does one run. Its lines appear when it has ended, so that those of two runs do not mix; a single one's at once. */
async function runTests(files: readonly string[]): Promise<boolean> {
  const options = ['--import=./scripts/untracked-promises.ts', '--test-reporter=./scripts/test-reporter.ts'];
  const args = [...options, './scripts/import-tests.ts', ...files];
  const run = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const limit = setTimeout(() => run.kill('SIGKILL'), longestRun * 60_000);
  const ended = once(run, 'close');
  const lines: string[] = [];
  const show = (line: string) => (runs.length === 1 ? console.log(line) : lines.push(line));
  for await (const line of createInterface({ input: run.stdout })) {
    tally.add(line);
    show(line);
  }
  const [code, signal] = (await ended) as [number | null, string | null];
  clearTimeout(limit);
  if (signal !== null)
    show(`${files.join(' ')} was ended by ${signal}; the longest that it may take is ${longestRun} min`);
  if (lines.length > 0) console.log(lines.join('\n'));
  return code === 0;
}

/** Takes the next run until none is left. */
async function work(queue: Iterable<readonly string[]>): Promise<boolean> {
  let passed = true;
  for (const files of queue) passed = (await runTests(files)) && passed;
  return passed;
}

const newFiles = reportNewFiles();
const runs = testRuns();
const queue = runs.values();
const atATime = availableParallelism() + (values.each ? 1 : 0);
const workers = Array.from({ length: Math.min(runs.length, atATime) }, () => work(queue));
const passed = (await Promise.all(workers)).every(Boolean);
const { ok, lines } = tally.verdict(process.env['CI'] === 'true' ? listedSkips() : undefined);
for (const line of lines) console.log(line);
if (!passed || !ok || newFiles() > 0) process.exitCode = 1;
