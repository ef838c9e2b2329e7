// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { logOptions } from '../api/serve-log.ts';
import { recordLog, removeLog } from './container-log.ts';
import { readLog, type LogOptions } from './read-log.ts';

describe('the log of a container', () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forge-log-'));
  });
  after(() => rm(folder, { recursive: true }));

  async function recording(name: string, ...limits: { bytes: number; files: number }[]) {
    const clock = virtualClock();
    const outputs = { stdout: new PassThrough(), stderr: new PassThrough() };
    const log = await recordLog(join(folder, name, '0.log'), outputs, clock, ...limits);
    const finish = async () => {
      outputs.stdout.end();
      outputs.stderr.end();
      await log.finished;
    };
    /** Writes a line and waits until it is in the file. */
    const print = async (line: string) => {
      const grown = log.grown();
      outputs.stdout.write(`${line}\n`);
      await grown;
    };
    return { clock, log, finish, print, ...outputs };
  }

  test('has a line with time and stream for each line of output; long lines are split', async () => {
    const { log, finish, stdout, stderr, clock } = await recording('format');
    stdout.write('hello\nwor');
    await clock.settle();
    await clock.advance(seconds(1));
    stdout.write('ld\n');
    await clock.settle();
    stderr.write(`${'x'.repeat(16_384)}y`);
    await finish();
    assert.deepEqual((await readFile(log.path, 'utf8')).split('\n'), [
      '2026-01-01T00:00:00.000Z stdout F hello',
      '2026-01-01T00:00:01.000Z stdout F world',
      `2026-01-01T00:00:01.000Z stderr P ${'x'.repeat(16_384)}`,
      '2026-01-01T00:00:01.000Z stderr F y',
      '',
    ]);
    const shown = (await Array.fromAsync(readLog(log))).join('');
    assert.equal(shown, `hello\nworld\n${'x'.repeat(16_384)}y\n`);
  });

  test('is returned within the requested range', async () => {
    const { log, finish, stdout, clock } = await recording('options');
    for (const line of ['one', 'two', 'three']) {
      stdout.write(`${line}\n`);
      await clock.settle();
      await clock.advance(seconds(10));
    }
    await finish();
    const shown = async (query: string) =>
      (await Array.fromAsync(readLog(log, logOptions(new URLSearchParams(query), clock.now())))).join('');
    assert.equal(await shown('tailLines=2'), 'two\nthree\n');
    assert.equal(await shown('tailLines=0'), '');
    assert.equal(await shown('limitBytes=6'), 'one\ntw');
    assert.equal(await shown('sinceSeconds=10'), 'three\n');
    assert.equal(await shown('sinceTime=2026-01-01T00:00:05Z'), 'two\nthree\n');
    assert.equal(await shown('tailLines=1&timestamps=true'), '2026-01-01T00:00:20.000Z three\n');
  });

  test('can be followed until the container ends', async () => {
    const { log, finish, stdout } = await recording('follow');
    stdout.write('one\n');
    const lines = readLog(log, { follow: true });
    assert.equal((await lines.next()).value, 'one\n');
    const next = lines.next();
    stdout.write('two\n');
    assert.equal((await next).value, 'two\n');
    const end = lines.next();
    await finish();
    assert.equal((await end).done, true);
  });

  test('is rotated when full, and only the latest files are kept', async () => {
    const { log, finish, print } = await recording('rotation', { bytes: 1000, files: 3 });
    for (let number = 100; number < 200; number += 1) await print(`line ${number}`);
    await finish();
    const files = (await readdir(join(folder, 'rotation'))).toSorted();
    assert.deepEqual(files, ['0.log.2', '0.log.3', '0.log.4']);
    for (const file of files) assert.ok((await stat(join(folder, 'rotation', file))).size <= 1000);
    // As with the kubelet, only the latest file is returned, also for a container that the node no longer knows.
    const shown = async (options?: LogOptions) => (await Array.fromAsync(readLog(log, options))).join('');
    assert.match(await shown(), /^line 19\d\n[^]*line 199\n$/);
    assert.equal(await shown({ tailLines: 2 }), 'line 198\nline 199\n');
    const forgotten = { path: log.path, closed: true, grown: () => Promise.resolve() };
    assert.equal((await Array.fromAsync(readLog(forgotten))).join(''), await shown());
    await removeLog(log.path);
    assert.deepEqual(await readdir(join(folder, 'rotation')), []);
  });

  test('can be followed across rotations without losing a line', async () => {
    const { log, finish, print } = await recording('follow-rotation', { bytes: 500, files: 50 });
    await print('line 0');
    const lines = readLog(log, { follow: true });
    const read = [(await lines.next()).value];
    for (let number = 1; number < 100; number += 1) {
      await print(`line ${number}`);
      // The reader is sometimes behind by a few files.
      if (number % 40 !== 0) continue;
      while (read.length <= number) read.push((await lines.next()).value);
    }
    const rest = Array.fromAsync(lines);
    await finish();
    const expected = Array.from({ length: 100 }, (_, number) => `line ${number}\n`);
    assert.deepEqual([...read, ...(await rest)], expected);
    assert.ok((log.rotations ?? 0) > 5);
  });

  test('continues with the oldest remaining file for a reader that is far behind', async () => {
    const { log, finish, print } = await recording('slow', { bytes: 200, files: 2 });
    await print('line 0');
    const lines = readLog(log, { follow: true });
    assert.equal((await lines.next()).value, 'line 0\n');
    for (let number = 1; number < 50; number += 1) await print(`line ${number}`);
    await finish();
    const rest = await Array.fromAsync(lines);
    assert.ok(rest.length < 49);
    assert.equal(rest.at(-1), 'line 49\n');
  });

  test('is closed when the reader disconnects', async () => {
    const { log, finish } = await recording('leave');
    const leaving = new AbortController();
    const end = readLog(log, { follow: true }, leaving.signal).next();
    leaving.abort();
    assert.equal((await end).done, true);
    await finish();
  });
});
