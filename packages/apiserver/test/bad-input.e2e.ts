// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { badClient } from './bad-client.ts';
import { servedServer } from './served-server.ts';

function program(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

test('10,000 idle connections do not block others', { timeout: 120_000 }, async () => {
  await using served = await servedServer();
  const client = await badClient(served);
  // In a separate process, because of the limit on open files.
  const callers = spawn(process.execPath, [program('idle-callers.ts'), String(client.port), '10000']);
  try {
    await once(callers.stdout, 'data');
    const ready = { method: 'GET', path: '/readyz', type: 'text/plain', body: '', status: 200 };
    assert.equal((await client.send(ready)).body, 'ok');
  } finally {
    callers.kill();
    client.close();
  }
});

test('10,000 bad requests leak no memory', { timeout: 120_000 }, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', program('bad-requests-heap.ts')]);
  const { before, after } = JSON.parse(stdout) as { before: number; after: number };
  assert.ok(after < before * 1.05, `${before} bytes before, ${after} after`);
});
