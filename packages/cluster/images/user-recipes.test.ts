// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { recipeFor } from './catalogue.ts';
import { imageStore } from './image-store.ts';
import { readUserRecipes, userRecipe } from './user-recipes.ts';

const redis = `
references: [redis:7, redis:7.*]
root:
  packages: [redis-server]
  user: { name: redis, uid: 999, gid: 999, home: /data }
  directories: [/data]
  files:
    usr/local/bin/start: { source: start.sh, mode: "0755" }
env: { LANG: C.UTF-8 }
entrypoint: [start]
cmd: [redis-server]
`;

test('a recipe of the user has the basic programs, a PATH, and files from its folder', () => {
  const { root, env, entrypoint, cmd } = userRecipe(redis, '/recipes/redis.yaml');
  assert.deepEqual(root, {
    name: 'user-redis',
    packages: ['coreutils', 'dash', 'grep', 'procps', 'tar', 'redis-server'],
    user: { name: 'redis', uid: 999, gid: 999, home: '/data' },
    directories: ['data'],
    files: { 'usr/local/bin/start': { source: new URL('file:///recipes/start.sh'), mode: 0o755 } },
  });
  assert.deepEqual([env['LANG'], entrypoint, cmd], ['C.UTF-8', ['start'], ['redis-server']]);
  assert.match(env['PATH'] ?? '', /:\/usr\/bin:/);
});

test('a recipe with a virtual environment has Python, and the lock of the user', () => {
  const text = 'references: [app:1]\nroot: { packages: [tzdata] }\nvenv: { path: /opt/app, lock: app.txt }';
  const { root, venv, env } = userRecipe(text, '/recipes/app.yaml');
  assert.ok(root.packages.includes('python3'));
  assert.deepEqual([venv?.path, venv?.lock?.href], ['/opt/app', 'file:///recipes/app.txt']);
  assert.match(env['PATH'] ?? '', /^\/opt\/app\/bin:/);
});

test('a recipe that extends an image of the catalogue inherits its settings, except those that it sets', () => {
  const base = recipeFor('c5c3/keystone:2025.2') ?? assert.fail();
  const plain = userRecipe('references: [a:1]\nfrom: registry.example/c5c3/keystone:2025.2', '/recipes/a.yaml');
  assert.deepEqual(plain, {
    references: ['a:1'],
    base,
    root: { name: 'user-a', base: base.root, packages: [] },
    env: base.env,
    entrypoint: base.entrypoint,
    cmd: base.cmd,
  });
  const { root, env, entrypoint, cmd } = userRecipe(
    'references: [b:1]\nfrom: mariadb:11.8\nroot: { packages: [less] }\nenv: { LANG: C }\nentrypoint: [bash]',
    '/recipes/b.yaml',
  );
  assert.deepEqual([root.packages, root.base?.name, root.base?.release], [['less'], 'mariadb-11.8', 'trixie']);
  assert.deepEqual([env['LANG'], entrypoint, cmd], ['C', ['bash'], []]);
  const venv = 'references: [c:1]\nfrom: c5c3/keystone:2025.2\nvenv: { path: /opt/app, lock: app.txt }';
  const { env: both } = userRecipe(venv, '/recipes/c.yaml');
  assert.match(both['PATH'] ?? '', /^\/opt\/app\/bin:\/var\/lib\/openstack\/bin:/);
});

test('an error names the file, the field and the remedy', () => {
  const errors = {
    'root: { packages: [a1] }': 'references is missing: add it',
    'references: redis': 'references must be a list of texts: quote each of them',
    'references: [a]\nroot: { packages: [redis-server], packges: [] }':
      'root.packges is unknown: use packages, user, directories, files',
    'references: [a]\nroot: { packages: ["Redis Server"] }':
      'root.packages must be names of Debian packages, which "Redis Server" is not',
    'references: [a]\nroot: { packages: [], files: { ../a: { source: b } } }':
      'root.files.../a must be a path inside the image, which "../a" is not',
    'references: [a]\nroot: { packages: [], files: { a: { source: b, mode: "rwx" } } }':
      'root.files.a.mode must be an octal mode in quotes, such as "0755"',
    'references: [a]\nroot: { packages: [], user: { name: a, uid: -1, gid: 1, home: / } }':
      'root.user.uid must be a number from 0 on',
    'references: [a]\nroot: { packages: [] }\nenv: { PORT: 80 }': 'env.PORT must be a text that is not empty: quote it',
    '- a': 'the file must be a mapping of fields to values',
    'references: [a]': 'root is missing: add it',
  };
  for (const [text, message] of Object.entries(errors)) {
    assert.throws(() => userRecipe(text, 'r.yaml'), { message: `recipe r.yaml: ${message}` });
  }
  assert.throws(
    () => userRecipe('references: [a]\nfrom: nginx:1', 'r.yaml'),
    /^Error: recipe r\.yaml: from must be an image of the catalogue: use one of forge\/tools, /,
  );
  assert.throws(() => userRecipe('a: [', 'r.yaml'), /^Error: recipe r\.yaml: the file is not YAML: /);
});

test('the error about an unknown image has the catalogue, how to add a recipe, and errors in recipes', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'forge-recipes-'));
  context.after(() => rm(folder, { recursive: true }));
  assert.deepEqual(await readUserRecipes(join(folder, 'missing')), { recipes: [], problems: [] });
  await writeFile(join(folder, 'redis.yaml'), redis);
  await writeFile(join(folder, 'broken.json'), '{}');
  const { recipes } = await readUserRecipes(folder);
  assert.equal(recipeFor('docker.io/library/redis:7.2', recipes)?.root.name, 'user-redis');
  const store = imageStore({ cacheDir: join(folder, 'cache'), recipesDir: folder, log: assert.fail });
  const message = await store.ensure('nginx:1').then(
    () => assert.fail('the image was found'),
    (error: Error) => error.message,
  );
  assert.match(
    message,
    /^image nginx:1 is not in the node's image catalogue\. To add it, .*\. The catalogue has redis:7, .*forge\/shell/,
  );
  assert.match(message, /\. To add it, write a recipe to a file \S+\/NAME\.yaml as docs\/recipes\.md describes/);
  assert.match(message, /\. recipe \S+broken\.json: references is missing: add it\. The catalogue has /);
});
