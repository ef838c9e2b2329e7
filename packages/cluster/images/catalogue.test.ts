// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { basics, catalogue, pip, programRoot, recipeFor } from './catalogue.ts';
import { lockedPackages, readDebianLock } from './debian-lock.ts';
import { distributionOf } from './distribution.ts';
import { pythonLockOf, requirementsOf } from './wheels.ts';

const venvs = catalogue.flatMap(({ venv }) => venv ?? []);

/** The user of an image. */
function userOf(reference: string): string {
  const { name, uid, gid } = recipeFor(reference)?.root.user ?? assert.fail(reference);
  return `${name} ${uid}:${gid}`;
}

describe('the image catalogue', () => {
  it('finds a recipe by repository and tag, with or without a registry prefix', () => {
    const mariadb = recipeFor('mariadb:10.11');
    assert.equal(mariadb?.root.name, 'mariadb');
    assert.equal(recipeFor('mariadb:10.11.8'), mariadb);
    assert.equal(recipeFor('docker.io/library/mariadb:10.11'), mariadb);
    assert.equal(recipeFor('registry.example:5000/mariadb:10.11'), mariadb);
    assert.equal(recipeFor('localhost/mariadb:10.11'), mariadb);
    assert.equal(recipeFor('registry:5000/mariadb:10.11'), mariadb);
  });

  it('prefers a recipe of the user', () => {
    const own = { references: ['mariadb:10.11'], root: pip, env: {}, entrypoint: [], cmd: [] };
    assert.equal(recipeFor('mariadb:10.11', [own]), own);
  });

  it('runs programs as the users of the container images that the operators target', () => {
    assert.equal(userOf('memcached:1.6'), 'memcache 11211:11211');
    assert.equal(userOf('mariadb:10.11'), 'mysql 999:999');
    assert.equal(userOf('openbao/openbao:2.7.2'), 'openbao 100:1000');
    assert.equal(userOf('chrislusf/seaweedfs:4.48'), 'seaweed 1000:1000');
    for (const release of ['2025.1', '2025.2', '2026.1', '2026.2']) {
      const keystone = `ghcr.io/c5c3/keystone:${release}`;
      assert.equal(userOf(keystone), 'keystone 42424:42424');
      assert.equal(recipeFor(keystone)?.env['UWSGI_DIE_ON_TERM'], '1', 'SIGTERM ends uWSGI');
    }
  });

  it('has two versions of MariaDB, with bash, which third-party scripts need', () => {
    for (const reference of ['mariadb:10.11', 'mariadb:11.8', 'mariadb:11.8.6']) {
      assert.ok(recipeFor(reference)?.root.packages.includes('bash'), reference);
    }
    assert.notEqual(recipeFor('mariadb:11.8')?.root.name, recipeFor('mariadb:10.11')?.root.name);
  });

  it('has no recipe for unknown images', () => {
    assert.equal(recipeFor('mariadb:10.1'), undefined);
    assert.equal(recipeFor('mariadb:10.110'), undefined);
    assert.equal(recipeFor('mariadb'), undefined);
    assert.equal(recipeFor('someone/mariadb:10.11'), undefined);
  });

  it('has sh, ls, cat, ps, grep, tar, sleep and sha256sum in every image', () => {
    for (const { root } of catalogue) {
      assert.deepEqual(
        basics.filter((name) => !root.packages.includes(name)),
        [],
        root.name,
      );
    }
  });

  it('uses only locked packages', async () => {
    for (const { name, packages, release = 'bookworm' } of [pip, programRoot, ...catalogue.map(({ root }) => root)]) {
      const lock = await readDebianLock(distributionOf(release, 'x64'));
      const locked = new Set(lockedPackages(lock, name)?.map((each) => each.name));
      assert.deepEqual(
        packages.filter((wanted) => !locked.has(wanted)),
        [],
        `${name}: run npm run images:lock`,
      );
    }
  });

  it('uses only locked Python requirements, with hashes and without URLs', async () => {
    for (const venv of venvs) {
      const lock = await readFile(pythonLockOf(venv), 'utf8');
      const locked = new Map(requirementsOf(lock).map((entry) => [entry.split(' ', 1).join(), entry]));
      for (const requirement of venv.requirements)
        assert.match(locked.get(requirement) ?? '', /--hash=sha256:[0-9a-f]{64}/);
      assert.doesNotMatch(lock, /:\/\//);
    }
  });
});
