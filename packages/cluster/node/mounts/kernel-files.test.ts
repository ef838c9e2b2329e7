// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coverKernelFiles } from './kernel-files.ts';

test('kernel files that exist are read-only or hidden', () => {
  const has = new Set(['/proc/sys', '/proc/keys', '/proc/scsi']);
  const line = coverKernelFiles((path) => has.has(path)).join(' ');
  const hidden = '--ro-bind /dev/null /proc/keys --tmpfs /proc/scsi --remount-ro /proc/scsi';
  assert.equal(line, `--ro-bind /proc/sys /proc/sys ${hidden}`);
});
