// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createOwnGroup, removeOwnGroup } from './own-group.ts';

describe('the control group of the cluster itself', () => {
  let parent = '';
  before(async () => {
    parent = await mkdtemp(join(tmpdir(), 'forge-cgroup-'));
  });
  after(() => rm(parent, { recursive: true }));

  for (const [version, file, weight] of [
    [1, 'cpu.shares', '8192'],
    [2, 'cpu.weight', '800'],
  ] as const) {
    test(`is beside that of the pods and has their processor time (version ${version})`, async () => {
      const cpu = join(parent, `forge-${version}`);
      const previous = join(parent, `previous-${version}`);
      await Promise.all([mkdir(cpu), mkdir(previous)]);
      await writeFile(join(cpu, file), weight);
      const group = await createOwnGroup({ version, folders: { cpu } }, () => Promise.resolve(previous));
      assert.deepEqual(group, { folder: `${cpu}-own`, previous });
      assert.equal(await readFile(join(`${cpu}-own`, file), 'utf8'), weight);
      assert.equal(await readFile(join(`${cpu}-own`, 'cgroup.procs'), 'utf8'), '0');
      // The files of a real group do not keep it from being removed.
      await rm(`${cpu}-own`, { recursive: true });
      await mkdir(`${cpu}-own`);
      await removeOwnGroup({ folder: `${cpu}-own`, previous });
      assert.equal(await readFile(join(previous, 'cgroup.procs'), 'utf8'), '0');
      await assert.rejects(stat(`${cpu}-own`));
    });
  }

  test('does not exist where processor time cannot be divided', async () => {
    assert.equal(await createOwnGroup({ version: 2, folders: { memory: parent } }), undefined);
  });
});
