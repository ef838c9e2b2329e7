// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const program = fileURLToPath(new URL('./start-stop.ts', import.meta.url));
// A leaked manager would be about ten thousand bytes; compiler noise is about a hundred.
const noise = 500;

describe('a manager', () => {
  test('leaks nothing when started and stopped a thousand times', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', program]);
    const bytesPerCycle = Number(stdout);
    assert.ok(Math.abs(bytesPerCycle) < noise, `the heap grows by ${bytesPerCycle} bytes per cycle`);
  });
});
