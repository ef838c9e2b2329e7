// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
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

  /** The files of its group. */
  async function written(version: 1 | 2, id: string, resources: Parameters<typeof containerCgroup>[2]) {
    await containerCgroup({ version, folders: { cpu: parent, memory: parent, pids: parent } }, id, resources);
    const names = await readdir(join(parent, id));
    const values = names.map(async (name) => [name, await readFile(join(parent, id, name), 'utf8')] as const);
    return Object.fromEntries(await Promise.all(values));
  }

  const resources = { limits: { cpu: '500m', memory: '64Mi' }, requests: { cpu: '250m' } };

  test('has its limits, and a CPU weight by its request', async () => {
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

  test('with a limit alone has the weight of that limit, and never less time than the kernel can give', async () => {
    assert.deepEqual(await written(1, 'limited', { limits: { cpu: '2' } }), {
      'cpu.cfs_period_us': '100000',
      'cpu.cfs_quota_us': '200000',
      'cpu.shares': '2048',
      'pids.max': '4096',
    });
    const { 'cpu.max': least } = await written(2, 'least', { limits: { cpu: '1m' } });
    assert.equal(least, '1000 100000');
  });

  test('without resources has a low CPU weight, and a limit of processes', async () => {
    assert.deepEqual(await written(1, 'c', undefined), { 'cpu.shares': '50', 'pids.max': '4096' });
    assert.deepEqual(await written(2, 'd', {}), { 'cpu.weight': '2', 'pids.max': '4096' });
  });

  test('without resources is measured, and put in the background', async () => {
    const folders = { cpu: parent, cpuacct: parent };
    const first = await containerCgroup({ version: 1, folders }, 'e', undefined);
    await writeFile(join(parent, 'e', 'cpuacct.usage'), '2500000000\n');
    assert.equal(await first.measured?.processorTime(), 2500);
    const second = await containerCgroup({ version: 2, folders: { cpu: parent } }, 'f', { limits: { memory: '64Mi' } });
    await writeFile(join(parent, 'f', 'cpu.stat'), 'usage_usec 2500000\nuser_usec 1\n');
    assert.equal(await second.measured?.processorTime(), 2500);
    await second.measured?.setBackground(true);
    assert.equal(await readFile(join(parent, 'f', 'cpu.idle'), 'utf8'), '1');
    await writeFile(join(parent, 'f', 'cpu.weight'), '100');
    await second.measured?.setBackground(false);
    assert.equal(await readFile(join(parent, 'f', 'cpu.weight'), 'utf8'), '2');
    for (const [id, own] of Object.entries({ g: { requests: { cpu: '1' } }, h: { limits: { cpu: '1' } } })) {
      assert.equal((await containerCgroup({ version: 2, folders }, id, own)).measured, undefined);
    }
  });

  test('tells a killed process from one that only reached the limit of memory', async () => {
    for (const [version, file] of [
      [1, 'memory.oom_control'],
      [2, 'memory.events'],
    ] as const) {
      const id = `memory-${version}`;
      const group = await containerCgroup({ version, folders: { memory: parent } }, id, undefined);
      assert.equal(await group.wasOutOfMemory(), false);
      await writeFile(join(parent, id, file), 'oom 3\noom_kill 0\n');
      assert.equal(await group.wasOutOfMemory(), false);
      for (const kills of [1, 23]) {
        await writeFile(join(parent, id, file), `oom 3\noom_kill ${kills}\n`);
        assert.equal(await group.wasOutOfMemory(), true);
      }
    }
  });
});
