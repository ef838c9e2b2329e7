// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Container } from '@forge/kube/generated/types.ts';
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import type { AssembledImage } from '../../images/image-store.ts';
import { commandOf, containerSpec } from './container-spec.ts';

const container: Container = { name: 'web', image: 'web:1' };
let image: AssembledImage = {
  reference: 'web:1',
  digest: 'sha256:0',
  root: '',
  mounts: [],
  env: {},
  entrypoint: ['start'],
  cmd: ['--fast'],
  user: { uid: 999, gid: 998 },
};

test("a command of the pod replaces the image's command and arguments; arguments replace only the arguments", () => {
  assert.deepEqual(commandOf(container, image), ['start', '--fast']);
  assert.deepEqual(commandOf({ ...container, args: ['-x'] }, image), ['start', '-x']);
  assert.deepEqual(commandOf({ ...container, command: ['sh'] }, image), ['sh']);
  assert.deepEqual(commandOf({ ...container, command: ['sh'], args: ['-c'] }, image), ['sh', '-c']);
  assert.throws(() => commandOf(container, { ...image, entrypoint: [], cmd: [] }), /no command specified/);
});

const specFor = (overrides: Partial<Container>, podSpec: Partial<NonNullable<Pod['spec']>> = {}) => {
  const made = { ...container, ...overrides };
  const pod: Pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web-0', namespace: 'default' },
    spec: { containers: [made], ...podSpec },
  };
  return containerSpec({
    pod,
    container: made,
    image,
    podIP: '10.244.0.2',
    namespace: () => Promise.resolve(undefined),
    objects: { configMap: () => undefined, secret: () => undefined },
    services: [],
    volumes: new Map([
      ['keys', { source: '/m/keys', readOnly: true }],
      ['data', { source: image.root, readOnly: false }],
    ]),
    files: [{ source: '/p/hosts', target: '/etc/hosts', readOnly: false }],
  });
};

describe('a resolved container', () => {
  before(async () => {
    const root = await mkdtemp(join(tmpdir(), 'forge-image-'));
    await mkdir(join(root, 'etc'));
    await mkdir(join(root, 'var'));
    await symlink('/run', join(root, 'var/run'));
    await writeFile(join(root, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\nweb:x:999:998::/srv/web:/bin/sh\n');
    image = { ...image, root };
  });
  after(() => rm(image.root, { recursive: true }));

  test("runs as the image's user with its home, unless the pod overrides it", async () => {
    const { user, env } = await specFor({});
    assert.deepEqual([user, env['HOME']], [{ uid: 999, gid: 998 }, '/srv/web']);
    const other = await specFor({}, { securityContext: { runAsUser: 5 } });
    assert.deepEqual([other.user, other.env['HOME']], [{ uid: 5, gid: 0 }, '/']);
    const own = await specFor(
      { securityContext: { runAsUser: 7, runAsGroup: 8 } },
      { securityContext: { runAsUser: 5 } },
    );
    assert.deepEqual(own.user, { uid: 7, gid: 8 });
  });

  test('with runAsNonRoot does not run as root', async () => {
    await assert.rejects(specFor({ securityContext: { runAsNonRoot: true, runAsUser: 0 } }), /runAsNonRoot/);
  });

  test('resolves mount paths through links of the image, outer mounts first, and generated content is read-only', async () => {
    const { mounts } = await specFor({
      volumeMounts: [
        { name: 'keys', mountPath: '/var/run/keys/deep' },
        { name: 'data', mountPath: '/run', subPath: 'etc', readOnly: true },
      ],
    });
    assert.deepEqual(mounts, [
      { source: image.root, inside: { path: 'etc', make: true }, target: '/run', readOnly: true },
      { source: '/p/hosts', target: '/etc/hosts', readOnly: false },
      { source: '/m/keys', inside: { path: '', make: false }, target: '/run/keys/deep', readOnly: true },
    ]);
  });

  test('expands variables in its command', async () => {
    const { command } = await specFor({ command: ['echo', '$(WHO) $$(WHO)'], env: [{ name: 'WHO', value: 'me' }] });
    assert.deepEqual(command, ['echo', 'me $(WHO)']);
  });
});
