// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { toolbox } from '../../host/toolbox.ts';
import { limitProcesses } from './limit-processes.ts';

test('a container cannot raise the limit of its processes', { skip: process.platform !== 'linux' }, async (context) => {
  const child = spawn('cat');
  context.after(() => child.kill());
  await once(child, 'spawn');
  await limitProcesses(toolbox('/'), child.pid ?? 0);
  assert.match(await readFile(`/proc/${child.pid}/limits`, 'utf8'), /^Max processes\s+4096\s+4096 /m);
});
