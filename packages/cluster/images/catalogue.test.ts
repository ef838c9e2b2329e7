// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { basics, catalogue, pip, programRoot, recipeFor } from './catalogue.ts';
import { lockedPackages, readDebianLock } from './debian-lock.ts';
import { pythonLockOf, requirementsOf } from './wheels.ts';

const venvs = catalogue.flatMap(({ venv }) => venv ?? []);

describe('the image catalogue', () => {
  it('finds a recipe by repository and tag, with or without a registry prefix', () => {
    const mariadb = recipeFor('mariadb:10.11');
    assert.equal(mariadb?.root.name, 'mariadb');
    assert.equal(recipeFor('mariadb:10.11.8'), mariadb);
    assert.equal(recipeFor('docker.io/library/mariadb:10.11'), mariadb);
    assert.equal(recipeFor('registry.example:5000/mariadb:10.11'), mariadb);
    assert.equal(recipeFor('localhost/mariadb:10.11'), mariadb);
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
    const lock = await readDebianLock('bookworm-amd64');
    for (const { name, packages } of [pip, programRoot, ...catalogue.map(({ root }) => root)]) {
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
