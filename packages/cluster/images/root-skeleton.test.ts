// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { finishRoot, groupFileOf, passwdFileOf, prepareRoot } from './root-skeleton.ts';

const user = { name: 'mysql', uid: 999, gid: 998, home: '/var/lib/mysql' };

describe('a root', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forge-root-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('has the users root, its own user and nobody', () => {
    assert.match(
      passwdFileOf({ name: 'db', packages: [], user }),
      /^root:x:0:0:[^]*^mysql:x:999:998::\/var\/lib\/mysql:[^]*^nobody:x:65534:/m,
    );
    assert.match(groupFileOf({ name: 'db', packages: [], user }), /^root:x:0:\nmysql:x:998:\nnogroup:x:65534:\n$/);
  });

  it('has a merged /usr, a shell, its folders, and its files with their modes', async () => {
    const source = new URL('mariadb/entrypoint.sh', import.meta.url);
    await prepareRoot(folder);
    await finishRoot(
      { name: 'db', packages: [], directories: ['run/mysqld'], files: { 'bin/start': { source, mode: 0o755 } } },
      folder,
    );
    assert.equal(await readlink(join(folder, 'lib64')), 'usr/lib64');
    assert.equal(await readlink(join(folder, 'usr/bin/sh')), 'dash');
    assert.ok((await stat(join(folder, 'run/mysqld'))).isDirectory());
    assert.equal((await stat(join(folder, 'usr/bin/start'))).mode & 0o777, 0o755);
  });

  it('keeps the shell of a package', async () => {
    await prepareRoot(folder);
    await writeFile(join(folder, 'usr/bin/sh'), 'a shell');
    await finishRoot({ name: 'db', packages: [] }, folder);
    assert.equal(await readFile(join(folder, 'usr/bin/sh'), 'utf8'), 'a shell');
  });

  it('bundles the certificates of its packages', async () => {
    await prepareRoot(folder);
    await mkdir(join(folder, 'usr/share/ca-certificates/mozilla'), { recursive: true });
    await writeFile(join(folder, 'usr/share/ca-certificates/mozilla/b.crt'), 'B\n');
    await writeFile(join(folder, 'usr/share/ca-certificates/mozilla/a.crt'), 'A\n');
    await finishRoot({ name: 'db', packages: [] }, folder);
    assert.equal(await readFile(join(folder, 'etc/ssl/certs/ca-certificates.crt'), 'utf8'), 'A\nB\n');
  });
});
