// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { containerCgroup } from './container-cgroup.ts';

describe('the control group of a container', () => {
  let parent = '';
  before(async () => {
    parent = await mkdtemp(join(tmpdir(), 'forge-cgroup-'));
  });
  after(() => rm(parent, { recursive: true }));

  /** What is written to the files of its group. */
  async function written(version: 1 | 2, id: string, resources: Parameters<typeof containerCgroup>[2]) {
    await containerCgroup({ version, folders: { cpu: parent, memory: parent, pids: parent } }, id, resources);
    const names = await readdir(join(parent, id));
    const values = names.map(async (name) => [name, await readFile(join(parent, id, name), 'utf8')] as const);
    return Object.fromEntries(await Promise.all(values));
  }

  const resources = { limits: { cpu: '500m', memory: '64Mi' }, requests: { cpu: '250m' } };

  test('has its limits, and processor time by its request', async () => {
    assert.deepEqual(await written(1, 'a', resources), {
      'cpu.cfs_period_us': '100000',
      'cpu.cfs_quota_us': '50000',
      'cpu.shares': '256',
      'memory.limit_in_bytes': '67108864',
      'pids.max': '4096',
    });
    assert.deepEqual(await written(2, 'b', resources), {
      'cpu.max': '50000 100000',
      'cpu.weight': '10',
      'memory.max': '67108864',
      'pids.max': '4096',
    });
  });

  test('without resources has the least processor time when others want it, and limited processes', async () => {
    assert.deepEqual(await written(1, 'c', undefined), { 'cpu.shares': '2', 'pids.max': '4096' });
    assert.deepEqual(await written(2, 'd', {}), { 'cpu.weight': '1', 'pids.max': '4096' });
  });
});
