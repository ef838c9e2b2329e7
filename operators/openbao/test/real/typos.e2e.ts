// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Secret, StorageClass } from '@forge/kube/kinds/builtin.ts';
import type { OperatorCluster } from '@forge/testing/programs/operator-cluster.ts';
import type { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { storeCanary } from './canary.ts';
import { liveOpenBao } from './live-openbao.ts';
import { startCluster } from './start-cluster.ts';

type Spec = Partial<OpenBaoCluster['spec']>;

interface Typo {
  readonly spec: Spec;
  readonly correction: object;
  /** The text of Degraded. */
  readonly said: RegExp;
}

/** Names of the tests' clusters, and what is mistyped in them. */
const typos: Readonly<Record<string, Typo>> = {
  image: {
    spec: { image: 'openbao/openbao:2.7.2x' },
    correction: { image: 'openbao/openbao:2.7.2' },
    said: /PodNotReady: .*openbao\/openbao:2\.7\.2x/,
  },
  version: {
    spec: { version: '2.7' },
    correction: { version: '2.7.2' },
    said: /InvalidVersion: spec\.version 2\.7 is not/,
  },
  class: {
    spec: { storage: { size: '1Gi', storageClassName: 'fats' } },
    correction: { storage: { storageClassName: 'fast' } },
    said: /PodNotReady: .*StorageClass "fats"/,
  },
  config: {
    spec: { config: { plugin_directory: '/openbao/plugin' } },
    correction: { config: null },
    said: /PodNotReady: .*plugin/,
  },
};

/** In which a mistake must be said. */
const halfAMinute = 0.5;

describe('mistakes in an OpenBaoCluster with real servers', { concurrency: true }, () => {
  let cluster: OperatorCluster;
  before(async () => {
    cluster = await startCluster();
    await cluster.client.create(StorageClass, {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'fast' },
      provisioner: 'local-folder.forge',
    });
  });
  after(() => cluster[Symbol.asyncDispose]());

  for (const [name, { spec, correction, said }] of Object.entries(typos)) {
    test(`are said, and heal when corrected: ${name}`, async () => {
      const bao = await liveOpenBao(cluster, name);
      await bao.create({ replicas: 1, ...spec });
      await bao.until('Degraded', said, halfAMinute);
      await bao.change(correction);
      await bao.untilSettled();
      await storeCanary(bao);
    });
  }

  test('a name in the certificate that is corrected is in the next one', async () => {
    const bao = await liveOpenBao(cluster, 'san');
    const tls = { enabled: true, mode: 'OperatorManaged', rotationPeriod: '720h' } as const;
    await bao.create({ replicas: 1, tls: { ...tls, extraSANs: ['bao.exmaple.com'] } });
    await bao.until('TLSReady', 'True Ready');
    await bao.change({ tls: { extraSANs: ['bao.example.com'] } });
    await bao.untilSettled();
    await storeCanary(bao);
  });

  test('a rotation period in a wrong unit is refused, or costs no certificate when it is corrected', async () => {
    const bao = await liveOpenBao(cluster, 'period');
    const mistyped = (rotationPeriod: string) =>
      bao.create({ replicas: 1, tls: { enabled: true, mode: 'OperatorManaged', rotationPeriod } });
    await assert.rejects(mistyped('720d'), /spec\.tls\.rotationPeriod.* must be a duration such as 720h/);
    await assert.rejects(mistyped('7200h'), /spec\.tls\.rotationPeriod.* at most 4380h/);
    await mistyped('720m');
    await bao.until('TLSReady', 'True Ready');
    const issued = await bao.secret(bao.names.serverSecret);
    await bao.change({ tls: { rotationPeriod: '720h' } });
    await bao.untilSettled();
    await storeCanary(bao);
    assert.deepEqual(await bao.secret(bao.names.serverSecret), issued);
  });

  test('an audit device that cannot be opened does not cost the root token', async () => {
    const bao = await liveOpenBao(cluster, 'audit');
    await bao.create({
      replicas: 1,
      audit: [{ type: 'file', path: 'main', file: { filePath: '/nowhere/audit.log' } }],
    });
    await bao.until('OpenBaoInitialized', 'True Initialized: OpenBao is initialised');
    // It runs and answers, but does not lead: the device is opened by the server that does.
    await bao.until('Upgrading', /RaftSyncTimeout: /);
    assert.match(await bao.condition('Degraded'), /^True RaftSyncTimeout: /);
    await bao.change({ audit: null });
    await bao.until('Upgrading', 'UpgradeComplete: ');
    await bao.untilSettled();
    await storeCanary(bao);
  });

  test('a seal that cannot be reached is said, and heals when its address is corrected', async () => {
    const sealer = await liveOpenBao(cluster, 'sealer');
    const users = [{ from: [{ namespaceSelector: {} }] }];
    await sealer.create({ replicas: 1, network: { dnsNamespace: 'kube-system', ingressRules: users } });
    await sealer.untilSettled();
    const token = await sealer.rootToken();
    const post = async (path: string, body: object) => {
      const { status } = await sealer.call(sealer.names.pod(0), { method: 'POST', path, body, token });
      assert.ok(status < 300, `${path}: ${status}`);
    };
    await post('sys/mounts/transit', { type: 'transit' });
    await post('transit/keys/unseal', {});

    const bao = await liveOpenBao(cluster, 'sealed');
    const ca = (await sealer.secret(sealer.names.caSecret))['ca.crt'] ?? '';
    await cluster.client.create(Secret, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace: bao.ref.namespace, name: 'transit' },
      data: { token: Buffer.from(token).toString('base64'), 'ca.crt': Buffer.from(ca).toString('base64') },
    });
    const transit = { keyName: 'unseal', mountPath: 'transit/' };
    await bao.create({
      replicas: 1,
      unseal: {
        type: 'transit',
        transit: { ...transit, address: 'https://saeler-public.sealer.svc:8200' },
        credentialsSecretRef: { name: 'transit' },
      },
    });
    await bao.until('Degraded', /PodNotReady: .*saeler-public/, halfAMinute);
    await bao.change({ unseal: { transit: { address: 'https://sealer-public.sealer.svc:8200' } } });
    await bao.untilSettled();
    await storeCanary(bao);
  });
});
