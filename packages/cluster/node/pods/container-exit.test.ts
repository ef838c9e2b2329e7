// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { appendFile, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { RunningContainer } from '../containers/container-runtime.ts';
import { containerExit } from './container-exit.ts';

describe('the termination message', () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forge-exit-'));
  });
  after(() => rm(folder, { recursive: true }));

  /** The message of a container that exits with this code after these lines of output. */
  async function messageOf(policy: string, exitCode: number, lines: readonly string[], written = '') {
    const [path, message] = [join(folder, '0.log'), join(folder, 'message')];
    await writeFile(path, lines.map((line) => `2026-01-01T00:00:00.000Z stdout F ${line}\n`).join(''));
    await writeFile(message, written);
    const log = { path, closed: true, grown: () => Promise.resolve() };
    const running = { id: 'id', startedAt: 0, log } as RunningContainer;
    const end = { exitCode, finishedAt: 1000, ran: true };
    return (await containerExit({ name: 'main', terminationMessagePolicy: policy }, running, end, message)).message;
  }

  test('is the end of the log when a container with FallbackToLogsOnError fails and wrote none', async () => {
    const policy = 'FallbackToLogsOnError';
    assert.equal(await messageOf(policy, 1, ['one', 'two']), 'one\ntwo\n');
    assert.equal(await messageOf(policy, 1, ['one'], 'written'), 'written');
    assert.equal(await messageOf(policy, 0, ['one']), undefined);
    assert.equal(await messageOf('File', 1, ['one']), undefined);
  });

  test('has at most the last 80 lines and 2048 bytes of the log, or the last 4096 bytes of the file', async () => {
    const policy = 'FallbackToLogsOnError';
    const numbers = Array.from({ length: 100 }, (_, index) => `${index}`);
    assert.equal(await messageOf(policy, 1, numbers), `${numbers.slice(20).join('\n')}\n`);
    assert.equal(await messageOf(policy, 1, ['x'.repeat(3000), 'last']), `${'x'.repeat(2042)}\nlast\n`);
    assert.equal(await messageOf('File', 0, [], `${'x'.repeat(5000)}last`), `${'x'.repeat(4092)}last`);
  });

  test('of a huge file is read from its end only', async () => {
    const path = join(folder, 'huge');
    await writeFile(path, '');
    await truncate(path, 2 ** 40);
    await appendFile(path, 'last');
    const running = { id: 'id', startedAt: 0 } as RunningContainer;
    const exit = await containerExit({ name: 'main' }, running, { exitCode: 0, finishedAt: 1, ran: true }, path);
    assert.equal(exit.message, `${'\0'.repeat(4092)}last`);
  });

  test('is absent when the log was removed', async () => {
    const log = { path: join(folder, 'removed.log'), closed: true, grown: () => Promise.resolve() };
    const running = { id: 'id', startedAt: 0, log } as RunningContainer;
    const container = { name: 'main', terminationMessagePolicy: 'FallbackToLogsOnError' };
    const exit = await containerExit(container, running, { exitCode: 1, finishedAt: 1000, ran: true }, 'none');
    assert.deepEqual([exit.exitCode, exit.message], [1, undefined]);
  });
});

test('the reason of an exit tells a lack of memory from an error, and both from a container that never ran', async () => {
  const running = { id: 'id', startedAt: 0, log: { path: 'none', closed: true } } as RunningContainer;
  const reasonOf = async (end: { ran: boolean; exitCode: number; outOfMemory?: boolean }) =>
    (await containerExit({ name: 'main' }, running, { finishedAt: 1, ...end }, 'none')).reason;
  assert.equal(await reasonOf({ ran: true, exitCode: 0, outOfMemory: true }), 'Completed');
  assert.equal(await reasonOf({ ran: true, exitCode: 137, outOfMemory: true }), 'OOMKilled');
  assert.equal(await reasonOf({ ran: true, exitCode: 137, outOfMemory: false }), 'Error');
  assert.equal(await reasonOf({ ran: false, exitCode: 128, outOfMemory: true }), 'StartError');
});
