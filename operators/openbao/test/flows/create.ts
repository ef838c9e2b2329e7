// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ConfigMap,
  EndpointSlice,
  PersistentVolumeClaim,
  Pod,
  Secret,
  Service,
  StatefulSet,
} from '@forge/kube/kinds/builtin.ts';
import type { CatalogObserver } from '@forge/runtime/conditions/condition-catalog.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { secretIn } from '@forge/testing/secret-in.ts';
import { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { home, openbaoFixture } from '../openbao-fixture.ts';
import {
  allReady,
  changeSpec,
  found,
  membersUnknown,
  namesOf,
  prerequisitesReady,
  runningCluster,
} from '../running-cluster.ts';
import { startOpenBaoOperator } from '../start-openbao-operator.ts';
import { upgraded } from '../upgrades.ts';

const transit = {
  type: 'transit',
  transit: { address: 'https://keys:8200', keyName: 'demo', mountPath: 'transit' },
} as const;

/** The creation of a cluster. */
export function createFlows(observer: CatalogObserver): void {
  test('one pod is initialised, the others join it, and one of three voters leads', async () => {
    await using operator = await startOpenBaoOperator({ observer });
    const { client, clock } = operator.cluster;
    await client.create(OpenBaoCluster, openbaoFixture());
    await operator.untilCondition('OpenBaoInitialized', 'NotInitialized: Waiting for pod demo-0 to start');
    assert.equal((await found(StatefulSet, 'demo', operator))?.spec?.replicas, 1);
    assert.equal((await operator.resource()).status?.phase, 'Initializing');
    await operator.untilCondition('Available', allReady(3));
    await clock.settle();
    const { status } = await operator.resource();
    assert.deepEqual(
      [status?.phase, status?.readyReplicas, status?.activeLeader, status?.initialized, status?.currentVersion],
      ['Running', 3, 'demo-0', true, '2.7.2'],
    );
    assert.equal(await operator.condition('Degraded'), membersUnknown);
    assert.equal(await operator.condition('TLSReady'), '+Ready: TLS certificates are ready');
    assert.equal(await operator.condition('OpenBaoInitialized'), '+Initialized: OpenBao is initialised');
    assert.equal(await operator.condition('OpenBaoSealed'), 'Unsealed: Pod demo-0 is unsealed');
    assert.equal(await operator.condition('OpenBaoLeader'), '+LeaderFound: Pod demo-0 leads');
    const leader = operator.servers.serverIn({ ...home, name: 'demo-0' });
    assert.deepEqual(
      leader?.options.disk.store?.copy.peers.map(({ id }) => id),
      ['demo-0', 'demo-1', 'demo-2'],
    );
    assert.deepEqual(operator.calls(), ['GET demo-0 sys/health', 'PUT demo-0 sys/init']);
    const authority = (await found(Secret, 'demo-tls-ca', operator))?.data?.['ca.crt'] ?? '';
    assert.deepEqual(operator.trust(), { ca: Buffer.from(authority, 'base64').toString() });
    assert.deepEqual(await operator.events(), ['RootTokenStored']);
    const { updateStrategy } = (await found(StatefulSet, 'demo', operator))?.spec ?? {};
    assert.equal(updateStrategy?.rollingUpdate?.partition, 3);
    await clock.advance(minutes(1));
    for (const name of ['demo-unseal-key', 'demo-root-token'])
      assert.equal((await found(Secret, name, operator))?.metadata.ownerReferences, undefined);
  });

  test('a transit seal needs its credentials, and no key of ours', async () => {
    await using operator = await startOpenBaoOperator({ observer });
    const { client } = operator.cluster;
    const unseal = { ...transit, credentialsSecretRef: { name: 'seal' } };
    await client.create(OpenBaoCluster, openbaoFixture({ unseal }));
    const waiting = '+PrerequisitesMissing: The StatefulSet waits for Secret seal with the credentials of the seal';
    await operator.untilCondition('Degraded', waiting);
    assert.deepEqual(await namesOf(StatefulSet, operator), []);
    await client.create(Secret, secretIn(home.namespace)('seal', { token: 's' }));
    await operator.untilCondition('Available', allReady(3));
    assert.equal(await operator.condition('Degraded'), membersUnknown);
    assert.equal(await found(Secret, 'demo-unseal-key', operator), undefined);
    assert.equal((await operator.resource()).status?.unsealKeyFingerprint, undefined);
  });

  test('a pod that restarts while the key server does not answer stays sealed, and the condition says so', async () => {
    await using operator = await runningCluster({ observer }, { unseal: transit, replicas: 1 });
    operator.servers.hasKeyServer = false;
    await operator.cluster.client.delete(Pod, { ...home, name: 'demo-0' });
    await operator.untilCondition('OpenBaoSealed', '+Sealed: Pod demo-0 is sealed');
    assert.equal(await operator.condition('Available'), 'NoReplicasReady: No pod is ready');
    assert.equal((await operator.resource()).status?.activeLeader, undefined);
  });

  test('with ACME there are no certificates of ours, and the servers are reachable for the challenge', async () => {
    const acme = { directoryURL: 'https://acme.example.com/directory', domains: ['bao.example.com'] };
    const tls = { enabled: true, mode: 'ACME', acme } as const;
    await using operator = await runningCluster({ observer }, { tls, replicas: 1 });
    assert.deepEqual(await namesOf(Secret, operator), ['demo-root-token', 'demo-unseal-key']);
    assert.deepEqual(operator.trust(), { serverName: 'bao.example.com' });
    assert.equal(await operator.condition('TLSReady'), '+Ready: TLS certificates are ready');
    const service = await found(Service, 'demo-acme', operator);
    assert.deepEqual(
      service?.spec?.ports?.map(({ port, targetPort }) => [port, targetPort]),
      [
        [80, 8200],
        [443, 8200],
      ],
    );
  });

  test('several pods with ACME are warned of', async () => {
    const acme = { directoryURL: 'https://acme.example.com/directory', domain: 'bao.example.com' };
    await using operator = await runningCluster({ observer }, { tls: { enabled: true, mode: 'ACME', acme } });
    assert.equal(
      await operator.condition('Degraded'),
      `${prerequisitesReady}: with ACME each pod orders a certificate of its own, and a challenge may reach another pod: use one replica; Raft membership unknown: no upgrade or backup credential`,
    );
  });

  test('without a known address of the API server no pod is cut off from it', async () => {
    await using operator = await startOpenBaoOperator({ observer });
    const { client } = operator.cluster;
    await client.delete(Service, { namespace: 'default', name: 'kubernetes' });
    await client.delete(EndpointSlice, { namespace: 'default', name: 'kubernetes' });
    await client.create(OpenBaoCluster, openbaoFixture({ replicas: 1 }));
    await operator.untilCondition(
      'Degraded',
      '+PrerequisitesMissing: The address of the API server is unknown, and without it the NetworkPolicy would cut the pods off from it: set spec.network.apiServerCIDR',
    );
    assert.deepEqual(await namesOf(StatefulSet, operator), []);
    await changeSpec(operator, { network: { apiServerCIDR: '192.0.2.0/24' } });
    await operator.untilCondition('Available', allReady(1));
  });

  test('audit devices are written once the cluster is initialised, and reach the pods like any other change', async () => {
    const audit = [{ type: 'file', path: 'file', file: { filePath: 'stdout' } }] as const;
    const written: boolean[] = [];
    await using operator = await runningCluster(
      {
        observer,
        before: async ({ method, path, body }) => {
          if (method === 'PATCH' && path.includes('/demo-config')) written.push(JSON.stringify(body).includes('audit'));
        },
      },
      { audit: [...audit], replicas: 1 },
    );
    await operator.untilCondition('Upgrading', upgraded('2.7.2', '2.7.2'));
    assert.match((await found(ConfigMap, 'demo-config', operator))?.data?.['config.hcl'] ?? '', /audit "file" "file"/);
    assert.equal(written[0], false);
  });

  test('a ConfigMap of somebody else stays as it is', async () => {
    await using operator = await startOpenBaoOperator({ observer });
    const { client, clock } = operator.cluster;
    const config: ConfigMap = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { ...home, name: 'demo-config' },
      data: { 'config.hcl': 'mine' },
    };
    await client.create(ConfigMap, config);
    await client.create(OpenBaoCluster, openbaoFixture({ replicas: 1 }));
    const refused = /^\+ApplyRejected: ConfigMap demo-config was refused: it exists /;
    await clock.until(async () => refused.test((await operator.condition('Degraded')) ?? ''), seconds(10));
    assert.deepEqual((await found(ConfigMap, 'demo-config', operator))?.data, config.data);
    assert.deepEqual(await namesOf(PersistentVolumeClaim, operator), []);
  });
}
