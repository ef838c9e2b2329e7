// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PodBehavior } from '@forge/cluster/fake-node/pod-status.ts';
import type { ApiRequest } from '@forge/kube/client/transport.ts';
import { ConfigMap, Pod, Secret } from '@forge/kube/kinds/builtin.ts';
import { certificatesIn, readCertificate } from '@forge/pki/read-certificate.ts';
import type { CatalogObserver } from '@forge/runtime/conditions/condition-catalog.ts';
import { minutes, now, seconds } from '@forge/runtime/environment/duration.ts';
import { refusal } from '@forge/testing/refusal.ts';
import { annotations } from '../../api/names.ts';
import { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { certificateHash } from '../../objects/tls/stored-certificates.ts';
import { issuedSecrets } from '../issued-secrets.ts';
import { home, openbaoFixture } from '../openbao-fixture.ts';
import { allReady, changeSpec, found, namesOf, runningCluster } from '../running-cluster.ts';
import { startOpenBaoOperator, type StartedOpenBaoOperator } from '../start-openbao-operator.ts';

const authority = { ...home, name: 'demo-tls-ca' };
const server = { ...home, name: 'demo-tls-server' };
const tlsReady = '+Ready: TLS certificates are ready';
const external = { enabled: true, mode: 'External' } as const;
const day = 86_400_000;
const certificateDays = 365;
const rotationDays = 30;

const textIn = ({ data }: Secret, key: string) => Buffer.from(data?.[key] ?? '', 'base64').toString();

const serverOf = ({ cluster }: StartedOpenBaoOperator) => cluster.client.get(Secret, server);

/** The hashes on the pods. */
async function hashesOf({ cluster }: StartedOpenBaoOperator): Promise<Set<string | undefined>> {
  const { items } = await cluster.client.list(Pod, { namespace: home.namespace });
  return new Set(items.map(({ metadata }) => metadata.annotations?.[annotations.certificateHash]));
}

/** What becomes of the certificates of a cluster. */
export function certificateFlows(observer: CatalogObserver): void {
  test('a certificate is renewed before it ends, all pods are notified, and none restarts', async () => {
    await using operator = await runningCluster({ observer });
    const { client, clock } = operator.cluster;
    const { metadata } = await client.get(Pod, { ...home, name: 'demo-0' });
    const untilDue = minutes(5);
    const issuedAt = clock.now() + untilDue - (certificateDays - rotationDays) * day;
    const ending = issuedSecrets(issuedAt, await client.get(Secret, authority)).server;
    await client.patch(Secret, server, 'merge', { data: ending.data });
    await clock.advance(seconds(1));
    assert.deepEqual(await hashesOf(operator), new Set([certificateHash(ending)]));
    await clock.advance(untilDue);
    const renewed = await serverOf(operator);
    assert.deepEqual(await hashesOf(operator), new Set([certificateHash(renewed)]));
    const { notAfter } = readCertificate(textIn(renewed, 'tls.crt'));
    assert.ok(notAfter > clock.now() + (certificateDays - 1) * day);
    assert.equal((await client.get(Pod, { ...home, name: 'demo-0' })).metadata.uid, metadata.uid);
    assert.equal(await operator.condition('TLSReady'), tlsReady);
  });

  test('a certificate without a name that is wanted is issued again', async () => {
    await using operator = await runningCluster({ observer }, { replicas: 1 });
    await changeSpec(operator, { tls: { extraSANs: ['bao.example.com'] } });
    await operator.cluster.clock.advance(seconds(1));
    const issued = await serverOf(operator);
    assert.ok(readCertificate(textIn(issued, 'tls.crt')).names.includes('bao.example.com'));
    assert.deepEqual(await hashesOf(operator), new Set([certificateHash(issued)]));
  });

  test('beside a new CA the former one is trusted until every pod serves a certificate of the new one', async () => {
    let isLost = false;
    await using operator = await runningCluster({ observer, losesReply: () => isLost });
    const { client, clock } = operator.cluster;
    const [former] = certificatesIn(textIn(await client.get(Secret, authority), 'ca.crt'));
    isLost = true;
    await client.delete(Secret, authority);
    await clock.advance(minutes(1));
    const both = certificatesIn(textIn(await serverOf(operator), 'ca.crt'));
    assert.equal(both.length, 2);
    assert.equal(both[1], former);
    isLost = false;
    await clock.advance(seconds(31));
    assert.deepEqual(certificatesIn(textIn(await serverOf(operator), 'ca.crt')), both.slice(0, 1));
    assert.equal(textIn(await client.get(Secret, authority), 'ca.crt'), both[0]);
    operator.calls();
    await clock.advance(minutes(2));
    assert.deepEqual(operator.calls(), []);
  });

  test('a pod that is not ready is neither notified nor asked, and notified once it is', async () => {
    let behavior: PodBehavior | undefined;
    await using operator = await runningCluster({
      observer,
      behavior: ({ metadata }) => (metadata.name === 'demo-2' ? behavior : undefined),
      losesReply: (call) => behavior !== undefined && call.includes('demo-2'),
    });
    const { client, clock } = operator.cluster;
    const hashOf = async (name: string) =>
      (await client.get(Pod, { ...home, name })).metadata.annotations?.[annotations.certificateHash];
    const former = await hashOf('demo-2');
    behavior = { exit: { code: 1, after: now, message: 'error: permission denied' } };
    await clock.until(async () => (await operator.condition('Degraded'))?.startsWith('+PodNotReady: '));
    await client.delete(Secret, authority);
    await clock.advance(minutes(1));
    const issued = await serverOf(operator);
    assert.equal(certificatesIn(textIn(issued, 'ca.crt')).length, 1);
    assert.equal(await hashOf('demo-1'), certificateHash(issued));
    assert.equal(await hashOf('demo-2'), former);
    behavior = undefined;
    await operator.untilCondition('Available', allReady(3));
    await clock.settle();
    assert.equal(await hashOf('demo-2'), certificateHash(issued));
  });

  test('a pod that cannot be notified does not keep the others from it, and is notified later', async () => {
    let isRefused = false;
    const before = async ({ method, path }: ApiRequest) => {
      if (isRefused && method === 'PATCH' && path.endsWith('/pods/demo-0'))
        throw refusal(503, 'ServiceUnavailable', 'not now');
    };
    await using operator = await runningCluster({ observer, before });
    const { client, clock } = operator.cluster;
    isRefused = true;
    await client.delete(Secret, server);
    await clock.advance(seconds(10));
    const issued = certificateHash(await serverOf(operator));
    assert.equal((await hashesOf(operator)).size, 2);
    assert.ok((await hashesOf(operator)).has(issued));
    isRefused = false;
    await clock.advance(minutes(2));
    assert.deepEqual(await hashesOf(operator), new Set([issued]));
  });

  test('External certificates are waited for, one Secret after the other, and replaced without a restart', async () => {
    await using operator = await startOpenBaoOperator({ observer });
    const { client, clock } = operator.cluster;
    await client.create(OpenBaoCluster, openbaoFixture({ tls: external, replicas: 1 }));
    const waits = 'WaitingForExternalSecret: Waiting for external TLS';
    await operator.untilCondition('TLSReady', `${waits} CA Secret demo-tls-ca with the key ca.crt`);
    const noCertificates = '+PrerequisitesMissing: The StatefulSet waits for the TLS certificates';
    assert.equal(await operator.condition('Degraded'), noCertificates);
    const first = issuedSecrets(clock.now());
    await client.create(Secret, first.ca);
    const noServer = `${waits} server Secret demo-tls-server with the keys tls.crt, tls.key and ca.crt`;
    await operator.untilCondition('TLSReady', noServer);
    await client.create(Secret, first.server);
    await operator.untilCondition('Available', allReady(1));
    assert.equal(await operator.condition('TLSReady'), tlsReady);
    const { uid } = (await client.get(Pod, { ...home, name: 'demo-0' })).metadata;

    const second = issuedSecrets(clock.now() + day);
    await client.patch(Secret, server, 'merge', { data: second.server.data });
    await operator.untilCondition(
      'TLSReady',
      'CertificateMismatch: tls.crt of Secret demo-tls-server does not verify against ca.crt of Secret demo-tls-ca: replace one of them',
    );
    await client.patch(Secret, authority, 'merge', { data: second.ca.data });
    await operator.untilCondition('TLSReady', tlsReady);
    await clock.advance(seconds(1));
    assert.deepEqual(await hashesOf(operator), new Set([certificateHash(second.server)]));
    assert.equal((await client.get(Pod, { ...home, name: 'demo-0' })).metadata.uid, uid);
    assert.equal((await client.get(Secret, authority)).metadata.ownerReferences, undefined);
  });

  test('beside a replaced External CA the former one is trusted until every pod serves a certificate of the new one', async () => {
    let served = '';
    await using operator = await startOpenBaoOperator({
      observer,
      // A server whose certificate is not trusted cannot be asked.
      losesReply: () => operator.trust()?.ca?.includes(served) !== true,
    });
    const { client, clock } = operator.cluster;
    const [first, second] = [issuedSecrets(clock.now()), issuedSecrets(clock.now() + day)];
    const trusted = async () =>
      certificatesIn((await found(ConfigMap, 'demo-tls-trusted', operator))?.data?.['ca.crt'] ?? '');
    const [former = '', current = ''] = [first, second].map(({ ca }) => textIn(ca, 'ca.crt'));
    await client.create(Secret, first.ca);
    await client.create(Secret, first.server);
    await client.create(OpenBaoCluster, openbaoFixture({ tls: external }));
    served = former;
    await operator.untilCondition('Available', allReady(3));
    assert.deepEqual(await trusted(), [former]);

    await operator.stop();
    await client.patch(Secret, authority, 'merge', { data: second.ca.data });
    await client.patch(Secret, server, 'merge', { data: second.server.data });
    await operator.start();
    await clock.advance(minutes(1));
    assert.deepEqual(await trusted(), [current, former]);
    assert.equal(await operator.condition('TLSReady'), tlsReady);
    // Only the server knows which label is stale.
    const isStale = { metadata: { labels: { 'openbao-active': 'true' } } };
    await client.patch(Pod, { ...home, name: 'demo-1' }, 'merge', isStale);
    await clock.advance(seconds(1));
    assert.ok(operator.calls().includes('GET demo-1 sys/health'));
    assert.equal(await operator.condition('OpenBaoLeader'), '+LeaderFound: Pod demo-0 leads');

    served = current;
    await clock.advance(seconds(31));
    assert.deepEqual(await trusted(), [current]);
    operator.calls();
    await client.patch(Pod, { ...home, name: 'demo-1' }, 'merge', {
      metadata: { labels: { 'openbao-active': 'false' } },
    });
    await clock.advance(minutes(2));
    assert.deepEqual(operator.calls(), []);
  });

  test('a certificate that cannot be written is reported, and written when it can', async () => {
    await using operator = await startOpenBaoOperator({ observer });
    const { client } = operator.cluster;
    const allow = await operator.deny('create', Secret);
    await client.create(OpenBaoCluster, openbaoFixture({ replicas: 1 }));
    await operator.untilCondition('TLSReady', 'Error: Secret demo-tls-ca was refused: Forbidden');
    assert.deepEqual(await namesOf(Secret, operator), []);
    await allow();
    await operator.untilCondition('Available', allReady(1));
  });
}
