// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { seconds } from '@forge/runtime/duration.ts';
import { virtualClock } from '@forge/runtime/virtual-clock.ts';
import { recordLog } from './container-log.ts';
import { readLog } from './read-log.ts';
import { logOptions } from './serve-log.ts';

describe('the log of a container', () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forge-log-'));
  });
  after(() => rm(folder, { recursive: true }));

  async function recording(name: string) {
    const clock = virtualClock();
    const outputs = { stdout: new PassThrough(), stderr: new PassThrough() };
    const log = await recordLog(join(folder, name, '0.log'), outputs, clock);
    const finish = async () => {
      outputs.stdout.end();
      outputs.stderr.end();
      await log.finished;
    };
    return { clock, log, finish, ...outputs };
  }

  test('has a line with time and origin for each line of output, a long one in parts', async () => {
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

  test('is shown from where, and as far as, the reader wants', async () => {
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

  test('can be followed to the end of the container', async () => {
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

  test('is left by a reader who goes away', async () => {
    const { log, finish } = await recording('leave');
    const leaving = new AbortController();
    const end = readLog(log, { follow: true }, leaving.signal).next();
    leaving.abort();
    assert.equal((await end).done, true);
    await finish();
  });
});
