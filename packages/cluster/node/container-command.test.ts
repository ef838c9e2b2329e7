// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { overlayOptions, sandboxArguments, type ContainerSpec } from './container-command.ts';

const spec: ContainerSpec = {
  user: { uid: 42424, gid: 42424 },
  hostname: 'keystone-0',
  env: { PATH: '/bin', PASSWORD: 'a b' },
  command: ['uwsgi'],
  workingDir: '/var/lib',
  readOnlyRoot: true,
  mounts: [
    { source: '/m/keys', target: '/etc/keys', readOnly: true },
    { source: '/m/data', target: '/data', readOnly: false },
  ],
};

test('a container is one user without privileges in namespaces of its own', () => {
  const line = sandboxArguments('/c/root', spec).join(' ');
  assert.match(line, /--unshare-user --uid 42424 --gid 42424 --unshare-pid --unshare-ipc --unshare-uts /);
  assert.match(line, /--die-with-parent --cap-drop ALL/);
  assert.match(line, /--clearenv --setenv PATH \/bin --setenv PASSWORD a b$/);
});

test('a container has a session of its own, or a terminal', () => {
  assert.ok(sandboxArguments('/c/root', spec).includes('--new-session'));
  const atTerminal = sandboxArguments('/c/root', { ...spec, env: { TERM: 'vt100' } }, true);
  assert.ok(!atTerminal.includes('--new-session'));
  assert.match(atTerminal.join(' '), /--setenv TERM xterm --setenv TERM vt100$/);
});

test('the root becomes read-only after everything is mounted in it', () => {
  const words = sandboxArguments('/c/root', spec);
  const at = (word: string) => words.indexOf(word);
  assert.ok(at('--bind') < at('--ro-bind') && at('--ro-bind') < at('/m/data') && at('/m/data') < at('--remount-ro'));
  assert.ok(!sandboxArguments('/c/root', { ...spec, readOnlyRoot: false }).includes('--remount-ro'));
});

test('folders with colons and commas do not confuse the overlay', () => {
  assert.equal(
    overlayOptions('/a:b', { upper: '/u,v', work: '/w' }),
    String.raw`lowerdir=/a\:b,upperdir=/u\,v,workdir=/w,userxattr`,
  );
});
