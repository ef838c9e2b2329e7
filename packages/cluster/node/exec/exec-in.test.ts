// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock as clock } from '@forge/runtime/environment/clock.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { noNamespaces as tools } from '../test/no-namespaces.ts';
import { execIn } from './exec-in.ts';

test('a command inside a container has its environment, and returns its exit code and output', async () => {
  const command = ['sh', '-c', 'echo $COLOR; echo no >&2; exit 4'];
  const { exitCode, output } = await execIn(tools, 1, command, { env: { COLOR: 'red' }, timeout: 60_000, clock });
  assert.deepEqual([exitCode, output.split('\n').toSorted()], [4, ['no', 'red']]);
});

test('a command that exits but leaves its output open times out', async () => {
  const late = virtualClock();
  const command = ['sh', '-c', 'setsid sleep 5 & exit 0'];
  const running = execIn(tools, 1, command, { env: {}, timeout: 1000, clock: late });
  // The shell and its process group have exited by then.
  await execIn(tools, 1, ['sleep', '0.3'], { env: {}, timeout: 60_000, clock });
  await late.advance(seconds(1));
  assert.equal((await running).exitCode, undefined);
});
