// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ConfigMap, Secret, Service, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { certificateAuthority } from '@forge/pki/certificate-authority.ts';
import type { KeyPair } from '@forge/pki/certificate.ts';
import { issueServerCertificate } from '@forge/pki/issue-certificate.ts';
import { eventually } from '@forge/testing/programs/eventually.ts';
import type { OperatorCluster } from '@forge/testing/programs/operator-cluster.ts';
import { storeCanary, untilCanary } from './canary.ts';
import { containersOf } from './containers.ts';
import { liveOpenBao, type LiveOpenBao } from './live-openbao.ts';
import { startCluster } from './start-cluster.ts';
import { servedCertificate, steadyRequests } from './steady-requests.ts';

describe('certificates and objects of real servers', { concurrency: true }, () => {
  let cluster: OperatorCluster;
  before(async () => {
    cluster = await startCluster();
  });
  after(() => cluster[Symbol.asyncDispose]());

  async function remade(bao: LiveOpenBao, kind: Kind, name: string, propagation?: 'Orphan'): Promise<void> {
    const ref = { namespace: bao.ref.namespace, name };
    const { metadata } = await cluster.client.get(kind, ref);
    await cluster.client.delete(kind, ref, propagation === undefined ? {} : { propagation });
    await eventually(`${kind.kind} ${name} is there again`, async () => {
      const found = await cluster.client.find(kind, ref);
      return found !== undefined && found.metadata.uid !== metadata.uid;
    });
  }

  test('are rotated three times, the CA included, without a failed request', async () => {
    const bao = await liveOpenBao(cluster, 'rotated');
    await bao.create();
    await bao.untilVoters();
    await storeCanary(bao);
    const containers = await containersOf(bao);
    const requests = await steadyRequests(bao);
    const { ref, names } = bao;

    const first = await issued(bao);
    await bao.change({ tls: { extraSANs: ['bao.example.com', '192.0.2.7'] } });
    await untilServed(bao, first);
    const second = await issued(bao);
    await cluster.client.delete(Secret, { namespace: ref.namespace, name: names.serverSecret });
    await untilServed(bao, second);
    const third = await issued(bao);
    await cluster.client.delete(Secret, { namespace: ref.namespace, name: names.caSecret });
    await untilServed(bao, third);
    await eventually(
      'the former CA is not trusted any more',
      async () => (await bao.secret(names.caSecret))['ca.crt']?.match(/BEGIN/g)?.length === 1,
      { minutes: 3 },
    );

    const { sent, failures } = await requests.stop();
    console.log(`rotated: ${sent} requests`);
    assert.deepEqual(failures, []);
    assert.deepEqual(await containersOf(bao), containers);
    await bao.untilSettled();
  });

  test('are made again when somebody deletes them', async () => {
    const bao = await liveOpenBao(cluster, 'deleted');
    await bao.create({ version: '2.6.2' });
    await bao.untilVoters();
    await storeCanary(bao);
    const containers = await containersOf(bao);
    await remade(bao, ConfigMap, bao.names.config);
    await remade(bao, Service, bao.names.publicService);
    await remade(bao, Service, bao.names.headlessService);
    await remade(bao, StatefulSet, bao.names.statefulSet, 'Orphan');
    await bao.untilVoters();
    await untilCanary(bao);
    assert.deepEqual(await containersOf(bao), containers);
    await remade(bao, StatefulSet, bao.names.statefulSet);
    await eventually('all pods are others', async () => {
      const now = await containersOf(bao);
      return (
        now.size === 3 && [...now].every(([name, each]) => containers.get(name) !== each && !each.endsWith('none'))
      );
    });
    await bao.untilVoters();
    await untilCanary(bao);
  });

  test('of somebody else are waited for, and followed without a failed request, a new CA included', async () => {
    const bao = await liveOpenBao(cluster, 'external');
    const { ref, names } = bao;
    const validity = { now: Date.now(), validDays: 1 };
    const authority = () => certificateAuthority({ ...validity, name: 'somebody else' });
    const first = authority();
    const provide = async (name: string, data: Record<string, string>) => {
      const encoded = Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')] as const);
      await cluster.client.apply(
        Secret,
        {
          apiVersion: 'v1',
          kind: 'Secret',
          metadata: { namespace: ref.namespace, name },
          data: Object.fromEntries<string>(encoded),
        },
        { fieldManager: 'somebody', force: true },
      );
    };
    const provideAuthority = (...authorities: KeyPair[]) => provide(names.caSecret, trusting(authorities));
    const provideServer = (by: KeyPair, ...others: KeyPair[]) => {
      const hosts = [
        `*.${ref.name}.${ref.namespace}.svc`,
        `*.${ref.namespace}.svc`,
        `openbao-cluster-${ref.name}.local`,
      ];
      const { cert, key } = issueServerCertificate(by, { ...validity, names: hosts, addresses: ['127.0.0.1'] });
      return provide(names.serverSecret, { 'tls.crt': cert, 'tls.key': key, ...trusting([by, ...others]) });
    };
    await bao.create({ tls: { enabled: true, mode: 'External' } });
    await bao.until('TLSReady', `Waiting for external TLS CA Secret ${names.caSecret}`);
    await provideAuthority(first);
    await bao.until('TLSReady', `Waiting for external TLS server Secret ${names.serverSecret}`);
    await provideServer(first);
    await bao.untilVoters();
    await storeCanary(bao);
    const containers = await containersOf(bao);
    const replaceServer = async (by: KeyPair, ...others: KeyPair[]) => {
      const former = await issued(bao);
      await provideServer(by, ...others);
      await untilServed(bao, former);
    };

    // As the guide says: at every moment clients and servers trust each other.
    const requests = await steadyRequests(bao);
    await replaceServer(first);
    const second = authority();
    await provideAuthority(first, second);
    await replaceServer(first, second);
    await replaceServer(second, first);
    await provideAuthority(second);
    await replaceServer(second);
    const { sent, failures } = await requests.stop();
    console.log(`external: ${sent} requests`);
    assert.deepEqual(failures, []);
    assert.deepEqual(await containersOf(bao), containers);

    const third = authority();
    await provideAuthority(third);
    await bao.until('TLSReady', 'False CertificateMismatch');
    await replaceServer(third);
    await untilCanary(bao);
    assert.deepEqual(await containersOf(bao), containers);
  });
});

/** The certificate of the Secret, as servers present it. */
async function issued(bao: LiveOpenBao): Promise<string> {
  const { 'tls.crt': text = '' } = await bao.secret(bao.names.serverSecret);
  return (text.split('-----END')[0] ?? '').replace(/.*CERTIFICATE-----/s, '').replaceAll(/\s/g, '');
}

/** Waits until the Secret holds another certificate, and every pod serves it. */
async function untilServed(bao: LiveOpenBao, former: string): Promise<void> {
  const current = await eventually('another certificate is issued', async () => {
    const found = await issued(bao).catch(() => undefined);
    return found !== undefined && found !== former && found;
  });
  for (const { metadata } of await bao.pods()) {
    await eventually(
      `${metadata.name} serves it`,
      async () => (await servedCertificate(bao, metadata.name).catch(() => undefined)) === current,
      { minutes: 3 },
    );
  }
  await bao.until('TLSReady', 'True Ready');
}

/** The content of `ca.crt` with which these are trusted. */
const trusting = (authorities: readonly KeyPair[]) => ({
  'ca.crt': authorities.map(({ cert }) => cert).join('\n'),
});
