// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { open, type FileHandle } from 'node:fs/promises';
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
    const limits = Promise.withResolvers<void>();
    let isSet = false;
    const report = 'echo "{\\"child-pid\\": $$}" >&3; head -c 1 <&7; echo "{\\"exit-code\\": 0}" >&3';
    const { pid, end, complete } = started(report, () => limits.promise);
    assert.ok((await pid) !== undefined);
    const ended = Promise.all([end, complete]).then(([code]) => [code, isSet]);
    isSet = true;
    limits.resolve();
    assert.deepEqual(await ended, [0, true]);
  });

  test('whose limits cannot be set is killed', async () => {
    const { exited } = started('echo "{\\"child-pid\\": $$}" >&3; head -c 1 <&7; sleep 60', () =>
      Promise.reject(new Error('not permitted')),
    );
    assert.deepEqual(await exited, [null, 'SIGKILL']);
  });
});
