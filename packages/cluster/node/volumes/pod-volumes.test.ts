// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { apiServer } from '@forge/apiserver/api-server.ts';
import { inProcessTransport } from '@forge/apiserver/wire/in-process-transport.ts';
import { client, type Client } from '@forge/kube/client/client.ts';
import { PersistentVolume, PersistentVolumeClaim, type Pod } from '@forge/kube/kinds/builtin.ts';
import { seededRandom } from '@forge/runtime/environment/seeded-random.ts';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { prepareVolumes } from './pod-volumes.ts';

describe('the volume of a claim', () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forge-claims-'));
  });
  after(() => rm(folder, { recursive: true }));

  /** Mounts a claim with this spec and status; the volume's claimRef has this uid, or `its own`. */
  async function mount(volumeName: string | undefined, phase: string, owner: string) {
    await using stack = new AsyncDisposableStack();
    const server = await apiServer({ clock: virtualClock(), random: seededRandom() });
    stack.defer(() => server.close());
    const kube = client(inProcessTransport(server));
    const ref = { namespace: 'default', name: 'data' };
    const { metadata } = await kube.create(PersistentVolumeClaim, {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { ...ref },
      spec: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Gi' } },
        ...(volumeName !== undefined && { volumeName }),
      },
    });
    await kube.patch(PersistentVolumeClaim, ref, 'merge', { status: { phase } }, { subresource: 'status' });
    await kube.create(PersistentVolume, {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'pv' },
      spec: {
        accessModes: ['ReadWriteOnce'],
        capacity: { storage: '1Gi' },
        claimRef: { ...ref, uid: owner === 'its own' ? (metadata.uid ?? '') : owner },
        csi: { driver: 'local-folder.forge', volumeHandle: 'pv' },
      },
    });
    const pod: Pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web', namespace: 'default' },
      spec: { containers: [], volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }] },
    };
    const objects = { configMap: () => undefined, secret: () => undefined };
    const inputs = { pod, podIP: '10.244.0.2', objects, tokenOf: () => '' };
    const volumes = await prepareVolumes(inputs, {
      podFolder: join(folder, 'pod'),
      volumesDir: join(folder, 'volumes'),
      client: kube,
    });
    return volumes.get('v')?.source;
  }

  test('is not mounted while the claim is pending, whatever volume it names', async () => {
    for (const name of ['pv', '../../../../etc', undefined]) {
      await assert.rejects(mount(name, 'Pending', 'its own'), /is not bound to a volume of its own yet/);
    }
  });

  test('is not mounted when it belongs to another claim, or has an invalid folder name', async () => {
    await assert.rejects(mount('pv', 'Bound', 'another'), /is not bound to a volume of its own yet/);
    await assert.rejects(mount('missing', 'Bound', 'its own'), /is not bound to a volume of its own yet/);
    await assert.rejects(mount('../pv', 'Bound', 'its own'), /is not a valid folder name/);
    assert.deepEqual(await readdir(folder), []);
  });

  test('is the folder of the volume when it is bound to the claim', async () => {
    assert.equal(await mount('pv', 'Bound', 'its own'), join(folder, 'volumes', 'pv'));
  });
});

test('a volume of an unsupported type is refused with its name and its type', async () => {
  const pod: Pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'default' },
    spec: { containers: [], volumes: [{ name: 'host', hostPath: { path: '/' } }] },
  };
  const objects = { configMap: () => undefined, secret: () => undefined };
  const inputs = { pod, podIP: '10.244.0.2', objects, tokenOf: () => '' };
  const places = { podFolder: '/nowhere', volumesDir: '/nowhere', client: {} as Client };
  await assert.rejects(prepareVolumes(inputs, places), {
    message: 'MountVolume.SetUp failed for volume "host": the node does not support volumes of hostPath',
  });
});
