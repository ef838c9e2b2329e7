// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { mkdtemp, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { longestBlock } from '@forge/testing/longest-block.ts';
import { fileDigests } from '../host/file-digests.ts';
import { layerCache } from './layer-cache.ts';
import { ensureNode } from './program-layers.ts';
import { placeFiles } from './root-skeleton.ts';

const mebibytes = 128;
/** Milliseconds of processor time: what a request to the API server in the same process may wait. */
const longest = 50;

test('an image with large files is assembled beside the event loop', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'forge-large-'));
  try {
    const large = join(dir, 'large');
    await writeFile(large, '');
    await truncate(large, mebibytes * 1024 * 1024);
    const files = { 'opt/large': { source: pathToFileURL(large), mode: 0o644 } };
    const layers = layerCache(join(dir, 'cache'));
    let folder = '';
    const block = await longestBlock(async () => {
      const digests = await fileDigests().of([large]);
      const copied = await layers.ensure('large', digests, async (target) => {
        await placeFiles(files, target);
        return digests;
      });
      folder = copied.folder;
      await ensureNode({ layers, progress: () => {} });
    });
    assert.equal((await stat(join(folder, 'opt/large'))).size, mebibytes * 1024 * 1024);
    assert.ok(block < longest, `the event loop was held for ${block.toFixed(1)} ms`);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
});
