// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { Pod } from '@forge/kube/kinds/builtin.ts';
import { startApiServer, startForge, withClient, withDataFolder } from '../test/forge-process.ts';

test('status exits with 0 while something waits, and with 1 when something failed, which its first line says', () =>
  withDataFolder(async (dir) => {
    const server = startApiServer('--data', dir);
    await server.waitForOutput('Ctrl-C stops it');
    const status = async () => {
      const { code, output } = await startForge('status', '--data', dir).ended;
      return [code, ...output.split('\n').slice(0, 2)];
    };
    assert.deepEqual(await status(), [0, '✔ Everything is ready', '']);

    const web = { namespace: 'default', name: 'web' };
    const containers = [{ name: 'web', image: 'example.org/none:1' }];
    await withClient(join(dir, 'kubeconfig'), (api) =>
      api.create(Pod, { apiVersion: 'v1', kind: 'Pod', metadata: web, spec: { containers } }),
    );
    assert.deepEqual(await status(), [0, '· 1 waiting', '  · Pod default/web: Pending, 0/1 containers ready']);

    // As a kubelet reports it.
    const [container] = containers.map(({ name, image }) => ({
      name,
      image,
      imageID: '',
      ready: false,
      restartCount: 0,
    }));
    const waiting = { reason: 'ImagePullBackOff', message: 'not found' };
    const containerStatuses = [{ ...container, state: { waiting } }];
    await withClient(join(dir, 'kubeconfig'), (api) =>
      api.patch(Pod, web, 'merge', { status: { containerStatuses } }, { subresource: 'status' }),
    );
    assert.deepEqual(await status(), [
      1,
      '✖ 1 failed',
      '  ✖ Pod default/web: container web: ImagePullBackOff: not found',
    ]);
    server.kill('SIGTERM');
    assert.equal((await server.ended).code, 0);
  }));
