// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { terminalSizer } from './terminal.ts';

test('a terminal gets the latest of several sizes', async () => {
  const applied: unknown[] = [];
  const done = Promise.withResolvers<void>();
  const resize = terminalSizer(Readable.from(['/dev/pts/7\n']), async (...size) => {
    applied.push(size);
    if (applied.length === 1) for (let columns = 1; columns <= 1000; columns += 1) resize(columns, 24);
    else done.resolve();
  });
  resize(80, 24);
  await done.promise;
  assert.deepEqual(applied, [
    ['/dev/pts/7', 80, 24],
    ['/dev/pts/7', 1000, 24],
  ]);
});
