// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { packetFilter } from './packet-filter.ts';

test('a kernel that lacks parts of nftables is detected when tables are created', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'forge-filter-'));
  const refusing = ['sh', '-c', 'echo "Error: Could not process rule: Operation not supported" >&2; exit 1'];
  try {
    await assert.rejects(
      packetFilter(folder, { nft: refusing }).tables({ services: '' }),
      /nft failed with exit code 1: .*not supported/,
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});
