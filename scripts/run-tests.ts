// SPDX-License-Identifier: Apache-2.0
// Runs test files and reports failures in the last lines: `node scripts/run-tests.ts [--shards=N [--first=PATTERN] |
// --each | --alone] PATTERN...`. With --shards, the slow files of --first are one test run each, and the others are divided
// into N runs after them. With --each and --alone, every file is a run, those of the first pattern first. One run per core
// is active at a time; with --each one more, since those files often wait for programs; with --alone one, since those files
// measure. With CI=true, a skipped test without a listed reason fails the run, and so does a file that the tests leave
// behind.
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
    alone: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const tally = new Tally();

/** Minutes after which a run is killed: a test hangs, or leaves something open, such as a server. */
const maxMinutes = 20;

/** The files of every run. */
function testRuns(): string[][] {
  const files = [...new Set(patterns.flatMap((pattern) => globSync(pattern).toSorted()))];
  if (values.each || values.alone) return files.map((file) => [file]);
  const first = globSync(values.first).toSorted();
  const others = files.filter((file) => !first.includes(file));
  const shards = Array.from({ length: Number(values.shards) }, (_, shard) =>
    others.filter((_file, index) => index % Number(values.shards) === shard),
  );
  return [...first.map((file) => [file]), ...shards.filter(({ length }) => length > 0)];
}

/** Executes a run. Its lines are printed when it ends, so that runs do not mix; those of a single run at once. */
async function runTests(files: readonly string[]): Promise<boolean> {
  const options = ['--import=./scripts/untracked-promises.ts', '--test-reporter=./scripts/test-reporter.ts'];
  const args = [...options, './scripts/import-tests.ts', ...files];
  const run = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const limit = setTimeout(() => run.kill('SIGKILL'), maxMinutes * 60_000);
  const ended = once(run, 'close');
  const lines: string[] = [];
  const show = (line: string) => (runs.length === 1 ? console.log(line) : lines.push(line));
  for await (const line of createInterface({ input: run.stdout })) {
    tally.add(line);
    show(line);
  }
  const [code, signal] = (await ended) as [number | null, string | null];
  clearTimeout(limit);
  if (signal !== null) show(`${files.join(' ')} was killed by ${signal}; the limit is ${maxMinutes} min`);
  if (lines.length > 0) console.log(lines.join('\n'));
  return code === 0;
}

/** Executes runs until the queue is empty. */
async function work(queue: Iterable<readonly string[]>): Promise<boolean> {
  let passed = true;
  for (const files of queue) passed = (await runTests(files)) && passed;
  return passed;
}

const newFiles = reportNewFiles();
const runs = testRuns();
const queue = runs.values();
const atATime = values.alone ? 1 : availableParallelism() + (values.each ? 1 : 0);
const workers = Array.from({ length: Math.min(runs.length, atATime) }, () => work(queue));
const passed = (await Promise.all(workers)).every(Boolean);
const { ok, lines } = tally.verdict(process.env['CI'] === 'true' ? listedSkips() : undefined);
for (const line of lines) console.log(line);
if (!passed || !ok || newFiles() > 0) process.exitCode = 1;
