// SPDX-License-Identifier: Apache-2.0
// Runs test files and tells in the last lines what failed: `node scripts/run-tests.ts [--shards=N] PATTERN...`.
// With shards, the files are divided into N test runs, and as many run at a time as there are cores. With CI=true, a
// test that is skipped without a listed reason fails the run, as does a file that the tests leave behind.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { reportNewFiles } from './clean-tree.ts';
import { listedSkips, Tally } from './tally.ts';

const { values, positionals: patterns } = parseArgs({
  options: { shards: { type: 'string', default: '1' } },
  allowPositionals: true,
});
const shards = Number(values.shards);
const tally = new Tally();

/** Runs one shard. Its lines appear when it has ended, so that those of two shards do not mix; a single one's at once. */
async function runShard(shard: number): Promise<boolean> {
  const args = ['--test', '--test-isolation=none', '--test-reporter=./scripts/test-reporter.ts'];
  const run = spawn(process.execPath, [...args, `--test-shard=${shard}/${shards}`, ...patterns], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(run, 'close');
  const lines: string[] = [];
  for await (const line of createInterface({ input: run.stdout })) {
    tally.add(line);
    if (shards === 1) console.log(line);
    else lines.push(line);
  }
  const [code] = await ended;
  if (lines.length > 0) console.log(lines.join('\n'));
  return code === 0;
}

/** Takes the next shard until none is left. */
async function work(queue: Iterable<number>): Promise<boolean> {
  let passed = true;
  for (const shard of queue) passed = (await runShard(shard)) && passed;
  return passed;
}

const newFiles = reportNewFiles();
// The last shards take longest: they begin, so that the cores end at about the same time.
const queue = Array.from({ length: shards }, (_, index) => shards - index).values();
const workers = Array.from({ length: Math.min(shards, availableParallelism()) }, () => work(queue));
const passed = (await Promise.all(workers)).every(Boolean);
const { ok, lines } = tally.verdict(process.env['CI'] === 'true' ? listedSkips() : undefined);
for (const line of lines) console.log(line);
if (!passed || !ok || newFiles() > 0) process.exitCode = 1;
