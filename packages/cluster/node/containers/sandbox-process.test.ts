// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { open, type FileHandle } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { toolbox } from '../../host/toolbox.ts';
import { startSandbox } from './sandbox-process.ts';

describe('a sandbox', () => {
  let output: FileHandle;
  before(async () => {
    output = await open('/dev/null', 'w');
  });
  after(() => output.close());

  /** Starts a shell script instead of bubblewrap. */
  const started = (script: string, limit: () => Promise<unknown>) =>
    startSandbox({
      tools: { ...toolbox('/'), bwrap: ['sh', '-c', script] },
      prefix: [],
      options: 'x'.repeat(1_000_000),
      filter: Buffer.alloc(1_000_000),
      command: [],
      inputOptions: {},
      writers: { stdout: output.fd, stderr: output.fd },
      limit,
    });

  test('that is killed before it has read everything causes no other error', async () => {
    const { exited, pid, end, complete } = started('kill -KILL $$', () => assert.fail('there is no process to limit'));
    assert.deepEqual(await Promise.all([exited, pid, end]), [[null, 'SIGKILL'], undefined, undefined]);
    await complete;
  });

  test('executes its command once its limits are set, and is then complete', async () => {
    let written = -1;
    const report = 'echo "{\\"child-pid\\": $$}" >&3; head -c 1 <&7; echo "{\\"exit-code\\": 0}" >&3';
    const { child, pid, end, complete } = started(report, async () => {
      // What has been written to descriptor 7 before would let the command be executed.
      written = (child.stdio.at(7) as Socket).bytesWritten;
    });
    assert.ok((await pid) !== undefined);
    assert.deepEqual(await Promise.all([end, complete]).then(([code]) => [code, written]), [0, 0]);
  });

  test('whose limits cannot be set is killed', async () => {
    const { exited } = started('echo "{\\"child-pid\\": $$}" >&3; head -c 1 <&7; sleep 60', () =>
      Promise.reject(new Error('not permitted')),
    );
    assert.deepEqual(await exited, [null, 'SIGKILL']);
  });
});
