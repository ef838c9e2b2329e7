// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { isTrue } from '@forge/cluster/objects/with-condition.ts';
import { externalSecrets } from '@forge/cluster/stand-ins/external-secrets/external-secrets.ts';
import { networkVaults } from '@forge/cluster/stand-ins/external-secrets/network-vault.ts';
import type { VaultHttp } from '@forge/cluster/stand-ins/external-secrets/vault-http.ts';
import { startStandIn } from '@forge/cluster/stand-ins/start-stand-in.ts';
import { externalSecret, pushSecret, secret } from '@forge/cluster/stand-ins/test/secret-objects.ts';
import { Secret, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { ClusterSecretStore, ExternalSecret, PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import { systemClock as clock } from '@forge/runtime/environment/clock.ts';
import { systemRandom as random } from '@forge/runtime/environment/random.ts';
import { logger } from '@forge/runtime/observability/logger.ts';
import { eventually } from '@forge/testing/programs/eventually.ts';
import { processCluster, type ProcessCluster } from '@forge/testing/programs/process-cluster.ts';
import { openDataFolder, type DataFolder } from '../data/data-folder.ts';
import { progress } from '../terminal/progress.ts';
import { startForge } from '../test/forge-process.ts';
import { clusterSecretStore } from './configure-openbao.ts';
import { openbao } from './openbao-objects.ts';
import { seed } from './seed.ts';
import { startOpenBao } from './start-openbao.ts';

const namespace = 'default';
const store = clusterSecretStore('openbao-cluster-store');
const target = { namespace, keystone: 'ks' };
const database = 'openstack/keystone/default/ks/db';
const backup = 'openstack/keystone/default/ks/fernet-keys';
const credential = 'openstack/keystone/default/cp/admin/app-credential';

function pushed(deletionPolicy: 'Delete' | 'None' = 'Delete'): PushSecret {
  const data = [backup, credential].map((remoteKey) => ({ match: { remoteRef: { remoteKey } } }));
  return pushSecret({ deletionPolicy, data });
}

describe('OpenBao on the process node', () => {
  let cluster: ProcessCluster;
  let data: DataFolder;
  let operator: AsyncDisposable | undefined;
  let api: VaultHttp;
  let output = '';

  before(async () => {
    cluster = await processCluster();
    data = await openDataFolder(`${cluster.folder}/data`);
    api = await start();
  });

  after(async () => {
    await operator?.[Symbol.asyncDispose]();
    await cluster[Symbol.asyncDispose]();
  });

  const dial = (host: string, port: number, signal: AbortSignal) => cluster.node.dial(host, port, signal);

  function start(): Promise<VaultHttp> {
    const shown = progress({ write: (text) => void (output += text), clock, colour: false });
    const signal = AbortSignal.timeout(120_000);
    return startOpenBao({ client: cluster.client, dial, data, progress: shown, clock, random, signal });
  }

  async function readyReason<T extends KubeObject>(kind: Kind<T>, { metadata }: T): Promise<string | undefined> {
    const { status } = (await cluster.client.get(kind, metadata)) as {
      status?: { conditions?: { type: string; reason: string }[] };
    };
    return status?.conditions?.find(({ type }) => type === 'Ready')?.reason;
  }

  async function contentAt(path: string): Promise<unknown> {
    const found = (await api.call('GET', `kv-v2/data/${path}`))?.['data'] as { data: unknown } | undefined;
    return found?.data ?? undefined;
  }

  async function scale(replicas: number): Promise<void> {
    await cluster.client.patch(StatefulSet, { namespace: openbao.namespace, name: openbao.name }, 'merge', {
      spec: { replicas },
    });
  }

  test('stores its key and its token in private files, and prints neither', async () => {
    const folder = data.path('openbao');
    const names = await readdir(folder);
    assert.deepEqual(names.toSorted(), ['root.token', 'seal.key', 'tls.json']);
    for (const name of names) assert.equal((await stat(`${folder}/${name}`)).mode & 0o777, 0o600, name);
    assert.doesNotMatch(output, /s\.[A-Za-z0-9]{20}/);
  });

  test('is seeded once, with the metadata of External Secrets', async () => {
    const outcomes = async () => (await seed(api, target, { mount: 'kv-v2', random })).map(({ outcome }) => outcome);
    assert.deepEqual(await outcomes(), ['written', 'written']);
    const first = await contentAt(database);
    assert.deepEqual(await outcomes(), ['kept', 'kept']);
    assert.deepEqual(await contentAt(database), first);
    const metadata = (await api.call('GET', `kv-v2/metadata/${database}`))?.['data'] as Record<string, unknown>;
    assert.deepEqual(metadata['custom_metadata'], { 'managed-by': 'external-secrets' });
  });

  test('can also be seeded by the command, with the token from a file', async () => {
    const tunnel = createServer((socket) => {
      cluster.node.dial('openbao.openbao-system.svc', 8200).then(
        (remote) =>
          socket
            .on('error', () => remote.destroy())
            .pipe(remote.on('error', () => socket.destroy()))
            .pipe(socket),
        () => socket.destroy(),
      );
    });
    await once(tunnel.listen(0, '127.0.0.1'), 'listening');
    const address = `https://127.0.0.1:${(tunnel.address() as AddressInfo).port}`;
    const { data: tls } = await cluster.client.get(Secret, { namespace: openbao.namespace, name: openbao.tls.name });
    const ca = data.path('ca.crt');
    await writeFile(ca, Buffer.from(tls?.[openbao.tls.ca] ?? '', 'base64'));
    const forge = (...args: string[]) => startForge('seed', '--address', address, '--ca-file', ca, ...args).ended;
    try {
      const token = ['--token-file', data.path('openbao', 'root.token')];
      const seeded = await forge('--namespace', 'two', '--control-plane', 'cp', ...token);
      assert.equal(seeded.code, 0, seeded.output);
      assert.match(seeded.output, /kv-v2\/openstack\/keystone\/two\/cp\/db +written/);
      assert.match(seeded.output, /kv-v2\/bootstrap\/two\/cp-keystone\/admin +written/);
      const again = await forge('--namespace', 'two', '--control-plane', 'cp', ...token);
      assert.match(again.output, /kv-v2\/openstack\/keystone\/two\/cp\/db +kept/);
      assert.equal(((await contentAt('openstack/keystone/two/cp/db')) as { username: string }).username, 'cp-keystone');

      const wrong = data.path('wrong.token');
      await writeFile(wrong, 's.wrong');
      const refused = await forge('--namespace', 'two', '--keystone', 'ks', '--token-file', wrong);
      assert.equal(refused.code, 1);
      assert.match(refused.output, /Code: 403\. Errors: .*\n.*create, read and update on kv-v2\/data\/openstack/);
      assert.doesNotMatch(refused.output, /s\.wrong/);
    } finally {
      tunnel.close();
    }
  });

  test('serves ExternalSecrets and accepts PushSecrets, within its policies', async () => {
    const { client } = cluster;
    const log = logger({ clock, level: 'error', write: () => undefined });
    const vaults = networkVaults({ client, clock, dial });
    operator = await startStandIn(externalSecrets(vaults), { client, clock, random, log });
    await client.create(ClusterSecretStore, store);
    await eventually('the store is valid', async () => (await readyReason(ClusterSecretStore, store)) === 'Valid');

    const remoteRef = { key: database, property: 'password' };
    const wanted = externalSecret({ data: [{ secretKey: 'password', remoteRef }] });
    await client.create(ExternalSecret, wanted);
    await eventually('the Secret exists', async () => (await client.find(Secret, wanted.metadata)) !== undefined);
    const { data: values } = await client.get(Secret, wanted.metadata);
    const { password } = (await contentAt(database)) as { password: string };
    assert.equal(Buffer.from(values?.['password'] ?? '', 'base64').toString(), password);

    await client.create(Secret, secret('keys', { 0: 'a', 1: 'b' }));
    await client.create(PushSecret, pushed());
    await eventually('the keys are pushed', async () => (await readyReason(PushSecret, pushed())) === 'Synced');
    for (const path of [backup, credential]) assert.deepEqual(await contentAt(path), { 0: 'a', 1: 'b' }, path);

    const forbidden = { ...pushSecret({ data: [{ match: { remoteRef: { remoteKey: 'elsewhere' } } }] }) };
    forbidden.metadata = { ...forbidden.metadata, name: 'forbidden' };
    await client.create(PushSecret, forbidden);
    await eventually('the push is refused', async () => (await readyReason(PushSecret, forbidden)) === 'Errored');
    const { status } = await client.get(PushSecret, forbidden.metadata);
    assert.match(status?.conditions?.[0]?.message ?? '', /Code: 403\. Errors: .*permission denied/);
  });

  test('restores a pushed Secret, and both directions follow their deletion policies', async () => {
    const { client } = cluster;
    const remoteRef = { key: backup, property: '1' };
    const pulled = externalSecret({ target: { deletionPolicy: 'Delete' }, data: [{ secretKey: 'one', remoteRef }] });
    pulled.metadata = { ...pulled.metadata, name: 'pulled' };
    const found = () => client.find(Secret, pulled.metadata);
    await client.create(ExternalSecret, pulled);
    await eventually('the key is restored', async () => (await found()) !== undefined);
    assert.deepEqual((await found())?.data, { one: btoa('b') });

    const { metadata } = pushed();
    await client.delete(PushSecret, metadata);
    await eventually('the copies are deleted', async () => (await client.find(PushSecret, metadata)) === undefined);
    for (const path of [backup, credential]) assert.equal(await contentAt(path), undefined, path);
    const annotations = { 'external-secrets.io/force-sync': '1' };
    await client.patch(ExternalSecret, pulled.metadata, 'merge', { metadata: { annotations } });
    await eventually('the Secret is deleted with its source', async () => (await found()) === undefined);

    await client.create(PushSecret, pushed('None'));
    await eventually('the keys are pushed again', async () => (await readyReason(PushSecret, pushed())) === 'Synced');
    await client.delete(PushSecret, metadata);
    assert.equal(await client.find(PushSecret, metadata), undefined);
    assert.deepEqual(await contentAt(backup), { 0: 'a', 1: 'b' });
  });

  test('is reported while it is stopped; then it unseals itself and has its content', async () => {
    const { client } = cluster;
    const stored = await contentAt(database);
    await scale(0);
    await client.patch(PushSecret, { namespace, name: 'forbidden' }, 'merge', { metadata: { labels: { again: '1' } } });
    await eventually(
      'the store reports it',
      async () => !isTrue((await client.get(ClusterSecretStore, store.metadata)).status?.conditions, 'Ready'),
    );
    assert.equal(await readyReason(ClusterSecretStore, store), 'InvalidProviderConfig');
    await scale(1);
    await eventually('the store is valid', async () => (await readyReason(ClusterSecretStore, store)) === 'Valid');
    assert.deepEqual(await contentAt(database), stored);
  });

  test('is completed by the next start, whatever exists already', async () => {
    const stored = await contentAt(database);
    api = await start();
    assert.deepEqual(await contentAt(database), stored);
  });

  test('with content but without its token causes an error that names the missing file, and keeps the content', async () => {
    const file = data.path('openbao', 'root.token');
    await rename(file, `${file}.away`);
    await assert.rejects(start(), /root\.token is missing\. Restore that file/);
    await rename(`${file}.away`, file);
    assert.notEqual(await contentAt(database), undefined);
  });

  test('whose initialisation was interrupted is initialised again', async () => {
    await rm(data.path('openbao', 'root.token'));
    await writeFile(data.path('openbao', 'initialising'), '');
    api = await start();
    assert.equal(await contentAt(database), undefined);
    assert.deepEqual((await readdir(data.path('openbao'))).toSorted(), ['root.token', 'seal.key', 'tls.json']);
  });
});
