// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { rootedPath } from './rooted-path.ts';

describe('a path below a root', () => {
  let root = '';
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'forge-root-'));
    await mkdir(join(root, 'var'));
    await symlink('/run', join(root, 'var/run'));
    await symlink('../../../../etc', join(root, 'var/up'));
    await symlink('loop', join(root, 'loop'));
  });
  after(() => rm(root, { recursive: true }));

  test('follows links inside the root only, however they are written', async () => {
    assert.equal(await rootedPath(root, '/var/run/secrets/token'), '/run/secrets/token');
    assert.equal(await rootedPath(root, '/var/up/passwd'), '/etc/passwd');
    assert.equal(await rootedPath(root, '/nowhere/./else/'), '/nowhere/else');
  });

  test('with a link loop is an error', async () => {
    await assert.rejects(rootedPath(root, '/loop'), /too many links/);
  });
});
