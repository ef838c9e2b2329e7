// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const program = fileURLToPath(new URL('./start-stop.ts', import.meta.url));
// What one manager leaves behind would be some ten thousand bytes; the compiler's own coming and going is a hundred.
const noise = 500;

describe('a manager', () => {
  test('leaves nothing behind when it is started and stopped a thousand times', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', program]);
    const bytesPerCycle = Number(stdout);
    assert.ok(Math.abs(bytesPerCycle) < noise, `the heap grows by ${bytesPerCycle} bytes a cycle`);
  });
});
