// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toolbox } from '../../host/toolbox.ts';
import { containerCommand, sandboxArguments, separatedByNul, type ContainerSpec } from './container-command.ts';

const spec: ContainerSpec = {
  user: { uid: 42424, gid: 42424 },
  hostname: 'keystone-0',
  env: { PATH: '/bin', PASSWORD: 'a b' },
  command: ['uwsgi'],
  workingDir: '/var/lib',
  readOnlyRoot: true,
  confined: true,
  mounts: [
    { source: '/m/keys', target: '/etc/keys', readOnly: true },
    { source: '/m/shm', target: '/dev/shm', readOnly: false },
  ],
};

const launchers = { folder: '/launchers', filter: Buffer.alloc(0) };
const places = { own: '/own', tools: toolbox('/tools'), launchers, sharedMemory: 1024 };

test('a container runs as one unprivileged user in its own namespaces', () => {
  const line = sandboxArguments(spec, places).join(' ');
  assert.match(
    line,
    /--unshare-user --disable-userns --uid 42424 --gid 42424 --unshare-pid --unshare-ipc --unshare-uts /,
  );
  assert.match(line, /--die-with-parent --cap-drop ALL/);
  assert.match(line, /--clearenv --setenv PATH \/bin --setenv PASSWORD a b$/);
});

test('programs of the node and /dev are read-only, and shared memory is limited', () => {
  const line = sandboxArguments(spec, places).join(' ');
  assert.match(line, / --perms 1777 --size 1024 --tmpfs \/dev\/shm /);
  assert.match(
    line,
    / --ro-bind \/tools \/dev\/\.forge --ro-bind \/launchers \/dev\/\.forge-launch .*--remount-ro \/dev /,
  );
});

test('a container has its own session, or a terminal', () => {
  assert.ok(sandboxArguments(spec, places).includes('--new-session'));
  const atTerminal = sandboxArguments({ ...spec, env: { TERM: 'vt100' } }, places, true);
  assert.ok(!atTerminal.includes('--new-session'));
  assert.match(atTerminal.join(' '), /--setenv TERM xterm --setenv TERM vt100$/);
});

test('mounts below /dev follow /dev, all others are part of the root, which becomes read-only last', () => {
  const line = sandboxArguments(spec, places).join(' ');
  assert.match(
    line,
    /--bind \/own\/root \/ .*--dev \/dev .*--tmpfs \/dev\/shm --bind \/own\/mounts\/1 \/dev\/shm .*--remount-ro \/ /,
  );
  assert.doesNotMatch(line, /\/etc\/keys/);
  assert.doesNotMatch(sandboxArguments({ ...spec, readOnlyRoot: false }, places).join(' '), /--remount-ro \/ /);
});

test('the value of a variable is never parsed as an option', () => {
  assert.equal(separatedByNul(['--setenv', 'A', 'b c']), '--setenv\0A\0b c\0');
  assert.throws(() => separatedByNul(['--setenv', 'A', 'b\0--bind\0/\0/host']), /NUL character/);
});

/** The directory that bubblewrap enters, and whether the command changes it. */
function entered(workingDir: string): unknown[] {
  const words = sandboxArguments({ ...spec, workingDir }, places);
  return [words[words.indexOf('--chdir') + 1], containerCommand({ ...spec, workingDir }).length > 1];
}

test('a working directory that a pod could replace is entered inside the container only', () => {
  assert.deepEqual(entered('/var/lib'), ['/var/lib', false]);
  assert.deepEqual(entered('/etc/keys'), ['/etc/keys', false]);
  assert.deepEqual(entered('/etc/keys/deep'), ['/', true]);
  assert.deepEqual(entered('/proc/self/fd/5'), ['/', true]);
});
