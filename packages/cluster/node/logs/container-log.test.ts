// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { runCommand } from '../../host/run-command.ts';
import { recordLog } from './container-log.ts';

describe('recording the log of a container', () => {
  let folder: string;
  let path: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forge-log-'));
    path = join(folder, '0.log');
  });

  afterEach(() => rm(folder, { recursive: true }));

  /** Records this text as the output of a container that ends afterwards. */
  async function record(text: string, limits?: { bytes: number; files: number }): Promise<void> {
    const outputs = { stdout: new PassThrough(), stderr: new PassThrough() };
    const { finished } = await recordLog(path, outputs, virtualClock(), limits);
    outputs.stdout.end(text);
    outputs.stderr.end();
    await finished;
  }

  test('leaves no empty file before a line longer than the file limit', async () => {
    await record(`${'x'.repeat(200)}\n`, { bytes: 100, files: 5 });
    assert.deepEqual(await readdir(folder), ['0.log']);
  });

  test('counts the existing size of a file', async () => {
    await writeFile(path, 'x'.repeat(90));
    await record('hello\n', { bytes: 100, files: 5 });
    assert.deepEqual((await readdir(folder)).toSorted(), ['0.log', '0.log.1']);
  });

  test('drops only lines when a file cannot be written', async () => {
    await mkdir(join(folder, '0.log.1'));
    await writeFile(path, 'x'.repeat(90));
    await record('hello\n', { bytes: 100, files: 5 });
    assert.equal(await readFile(path, 'utf8'), 'x'.repeat(90));
  });

  test('stops reading output while the disk is slow', async () => {
    await runCommand(['mkfifo', path]);
    const opened = open(path, 'r');
    let pulled = 0;
    const stdout = new Readable({
      read() {
        pulled += 1;
        this.push(pulled <= 100 ? `${'x'.repeat(9999)}\n` : null);
      },
    });
    const { finished } = await recordLog(path, { stdout, stderr: Readable.from([]) }, virtualClock());
    await using reader = await opened;
    for (let turn = 0; turn < 100; turn += 1) await setImmediate();
    assert.ok(pulled < 40, `${pulled} of 100 lines were read`);
    // Now everything can be written.
    const text = Buffer.concat(await reader.createReadStream({ autoClose: false }).toArray()).toString();
    await finished;
    assert.equal(text.split('\n').length, 101);
  });
});
