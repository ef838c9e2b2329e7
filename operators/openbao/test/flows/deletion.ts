// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiRequest } from '@forge/kube/client/transport.ts';
import {
  ConfigMap,
  Event,
  Job,
  Namespace,
  PersistentVolumeClaim,
  Pod,
  Secret,
  Service,
  StatefulSet,
} from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import type { CatalogObserver } from '@forge/runtime/conditions/condition-catalog.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { refusal } from '@forge/testing/refusal.ts';
import { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { completeCluster } from '../complete-cluster.ts';
import { home, openbaoFixture } from '../openbao-fixture.ts';
import { allReady, deleted, membersUnknown, namesOf, runningCluster } from '../running-cluster.ts';
import { startOpenBaoOperator, type StartedOpenBaoOperator } from '../start-openbao-operator.ts';

const claims = ['data-demo-0', 'data-demo-1', 'data-demo-2'];
const keySecrets = ['demo-root-token', 'demo-unseal-key'];
const allSecrets = [...keySecrets, 'demo-tls-ca', 'demo-tls-server'];
const retained =
  'Kept PersistentVolumeClaims data-demo-0, data-demo-1, data-demo-2, and the Secrets demo-unseal-key and demo-root-token if they exist: an OpenBaoCluster of the same name uses them again';

/** The claims and Secrets beside the cluster. */
const dataIn = async (operator: StartedOpenBaoOperator) => [
  ...(await namesOf(PersistentVolumeClaim, operator)),
  ...(await namesOf(Secret, operator)),
];

/** Everything of the servers that does not last. */
const serversIn = async (operator: StartedOpenBaoOperator) => [
  ...(await namesOf(StatefulSet, operator)),
  ...(await namesOf(Pod, operator)),
  ...(await namesOf(Service, operator)).filter((name) => name !== 'kubernetes'),
  ...(await namesOf(ConfigMap, operator)).filter((name) => name !== 'kube-root-ca.crt'),
];

async function messageOf(reason: string, { cluster: { client } }: StartedOpenBaoOperator): Promise<string | undefined> {
  const { items } = await client.list(Event, { namespace: home.namespace });
  return items.find((event) => event.reason === reason)?.message;
}

const uids = (objects: readonly KubeObject[]) => objects.map(({ metadata: { uid = '' } }) => uid).toSorted();

/** The deletion of a cluster. */
export function deletionFlows(observer: CatalogObserver): void {
  for (const propagation of ['Background', 'Foreground'] as const) {
    test(`Retain keeps the data and its keys, and nothing else, with propagation ${propagation}`, async () => {
      await using operator = await runningCluster({ observer });
      await deleted(operator, { propagation });
      await operator.cluster.clock.advance(seconds(5));
      assert.deepEqual(await dataIn(operator), [...claims, ...keySecrets]);
      assert.deepEqual(await serversIn(operator), []);
      assert.equal(await messageOf('DataRetained', operator), retained);
    });
  }

  test('DeletePVCs deletes the claims, and then the keys that are of no use any more', async () => {
    const gone: string[] = [];
    await using operator = await runningCluster(
      {
        observer,
        before: async ({ method, path }) => {
          if (method === 'DELETE') gone.push(path.split('/').at(-1) ?? '');
        },
      },
      { deletionPolicy: 'DeletePVCs' },
    );
    await deleted(operator);
    await operator.cluster.clock.advance(seconds(5));
    assert.deepEqual(await dataIn(operator), []);
    assert.deepEqual(await serversIn(operator), []);
    const [set, ...rest] = gone;
    assert.equal(set, 'demo');
    assert.deepEqual(rest.filter((name) => !name.startsWith('demo-0')).slice(-5), [
      ...claims,
      ...keySecrets.toReversed(),
    ]);
  });

  test('DeleteAll names where snapshots are left', async () => {
    const { backup } = completeCluster().spec;
    await using operator = await runningCluster(
      { observer },
      { deletionPolicy: 'DeleteAll', replicas: 1, ...(backup && { backup }) },
    );
    await deleted(operator);
    assert.equal(
      await messageOf('BackupsRetained', operator),
      'Kept the snapshots under openbao/default/demo/ in bucket snapshots',
    );
    assert.deepEqual(await dataIn(operator).then((names) => names.filter((name) => !name.includes('tls'))), []);
  });

  test('a deletion that orphans leaves the servers running, whatever the policy', async () => {
    await using operator = await runningCluster({ observer }, { deletionPolicy: 'DeletePVCs' });
    const pods = await namesOf(Pod, operator);
    await deleted(operator, { propagation: 'Orphan' });
    await operator.cluster.clock.advance(seconds(5));
    assert.deepEqual(await namesOf(Pod, operator), pods);
    assert.deepEqual(await dataIn(operator), [...claims, ...allSecrets.toSorted()]);
    assert.equal(await messageOf('DataRetained', operator), retained);
  });

  test('an operator that was away while everything was orphaned takes nothing away, either', async () => {
    await using operator = await runningCluster({ observer }, { deletionPolicy: 'DeletePVCs', replicas: 1 });
    const { client, clock } = operator.cluster;
    await operator.stop();
    await client.delete(OpenBaoCluster, home, { propagation: 'Orphan' });
    await clock.until(async () => !(await operator.resource()).metadata.finalizers?.includes('orphan'));
    await operator.start();
    await deleted(operator);
    await clock.advance(seconds(5));
    assert.deepEqual(await namesOf(Pod, operator), ['demo-0']);
    assert.deepEqual(await dataIn(operator), ['data-demo-0', ...allSecrets.toSorted()]);
  });

  test('what a deletion has orphaned belongs to the next cluster of the name, which changes none of it', async () => {
    await using operator = await runningCluster({ observer });
    const { client, clock } = operator.cluster;
    const kinds: readonly Kind[] = [StatefulSet, ConfigMap, Secret, Service];
    const selection = { namespace: home.namespace, labelSelector: 'openbao.org/cluster=demo' };
    const owned = async () =>
      (await Promise.all(kinds.map((kind) => client.list(kind, selection)))).flatMap(({ items }) => items);
    const before = await owned();
    const { data } = await client.get(Secret, { ...home, name: 'demo-tls-server' });
    const pods = (await client.list(Pod, { namespace: home.namespace })).items;
    await deleted(operator, { propagation: 'Orphan' });
    await client.create(OpenBaoCluster, openbaoFixture());
    await operator.untilCondition('Available', allReady(3));
    await operator.untilCondition('Degraded', membersUnknown);
    await clock.advance(seconds(5));
    const { uid } = (await operator.resource()).metadata;
    const after = await owned();
    assert.deepEqual(uids(after), uids(before));
    const unowned = after.filter(({ metadata }) => metadata.ownerReferences?.[0]?.uid !== uid);
    assert.deepEqual(unowned.map(({ metadata }) => metadata.name).toSorted(), keySecrets);
    assert.deepEqual((await client.get(Secret, { ...home, name: 'demo-tls-server' })).data, data);
    assert.deepEqual(uids((await client.list(Pod, { namespace: home.namespace })).items), uids(pods));
  });

  test('what it has left goes on with its volumes, also if the next cluster of the name asks for others', async () => {
    await using operator = await runningCluster({ observer });
    const { client, clock } = operator.cluster;
    await clock.advance(seconds(20));
    const set = await client.get(StatefulSet, home);
    const pods = (await client.list(Pod, { namespace: home.namespace })).items;
    await deleted(operator, { propagation: 'Orphan' });
    await client.create(OpenBaoCluster, openbaoFixture({ storage: { size: '2Gi' } }));
    await operator.untilCondition('OpenBaoInitialized', '+Initialized: OpenBao is initialised');
    await operator.untilCondition('Degraded', membersUnknown);
    await clock.advance(minutes(1));
    assert.equal((await client.get(StatefulSet, home)).metadata.uid, set.metadata.uid);
    assert.deepEqual(uids((await client.list(Pod, { namespace: home.namespace })).items), uids(pods));
  });

  test('a cluster that is deleted while it is initialised goes, with all that it got', async () => {
    await using operator = await startOpenBaoOperator({ observer });
    const { client, clock } = operator.cluster;
    await client.create(OpenBaoCluster, openbaoFixture({ deletionPolicy: 'DeletePVCs' }));
    await clock.until(() => operator.calls().includes('PUT demo-0 sys/init'));
    await deleted(operator);
    await clock.advance(seconds(5));
    assert.deepEqual([...(await dataIn(operator)), ...(await serversIn(operator))], []);
  });

  test('a cluster whose pods never started is deleted without a call', async () => {
    await using operator = await startOpenBaoOperator({ observer, behavior: () => ({ stuck: 'cannot pull' }) });
    const { client, clock } = operator.cluster;
    await client.create(OpenBaoCluster, openbaoFixture());
    await clock.advance(seconds(2));
    await deleted(operator);
    await clock.advance(seconds(5));
    assert.deepEqual(await dataIn(operator), ['data-demo-0', 'demo-unseal-key']);
    assert.deepEqual(await serversIn(operator), []);
    assert.deepEqual(operator.calls(), []);
  });

  for (const group of ['policy', 'networking.k8s.io', 'batch', 'discovery.k8s.io', 'rbac.authorization.k8s.io']) {
    test(`a cluster is deleted although nobody serves the API group ${group} any more`, async () => {
      let isMissing = false;
      let asked = 0;
      const before = async ({ path }: ApiRequest) => {
        if (!isMissing || !path.startsWith(`/apis/${group}/`)) return;
        asked += 1;
        throw refusal(404, 'NotFound', 'the server could not find the requested resource');
      };
      await using operator = await runningCluster({ observer, before }, { deletionPolicy: 'DeletePVCs', replicas: 1 });
      await operator.stop();
      isMissing = true;
      await operator.start();
      await deleted(operator);
      await operator.cluster.clock.advance(seconds(5));
      assert.ok(asked > 0);
      assert.deepEqual(await dataIn(operator), []);
      assert.deepEqual(await serversIn(operator), []);
    });
  }

  test('a paused cluster is deleted, too', async () => {
    await using operator = await runningCluster({ observer }, { replicas: 1 });
    await operator.cluster.client.patch(OpenBaoCluster, home, 'merge', { spec: { paused: true } });
    await deleted(operator);
    await operator.cluster.clock.advance(seconds(5));
    assert.deepEqual(await serversIn(operator), []);
    assert.deepEqual(await dataIn(operator), ['data-demo-0', ...keySecrets]);
  });

  test('what holds a claim is named, and no key goes before it', async () => {
    await using operator = await runningCluster({ observer }, { deletionPolicy: 'DeletePVCs', replicas: 1 });
    const { client } = operator.cluster;
    const claim = await client.get(PersistentVolumeClaim, { ...home, name: 'data-demo-0' });
    const finalizers = [...(claim.metadata.finalizers ?? []), 'example.com/hold'];
    await client.patch(PersistentVolumeClaim, { ...home, name: 'data-demo-0' }, 'merge', { metadata: { finalizers } });
    await client.delete(OpenBaoCluster, home);
    const held = 'Deleting: Waiting for PersistentVolumeClaim data-demo-0 (held by example.com/hold) to be deleted';
    await operator.untilCondition('Available', held);
    assert.deepEqual(
      (await namesOf(Secret, operator)).filter((name) => keySecrets.includes(name)),
      keySecrets,
    );
    const none = { metadata: { finalizers: null } };
    await client.patch(PersistentVolumeClaim, { ...home, name: 'data-demo-0' }, 'merge', none);
    await deleted(operator);
    assert.deepEqual(
      (await namesOf(Secret, operator)).filter((name) => keySecrets.includes(name)),
      [],
    );
  });

  test('a pod that somebody has taken out of the cluster is named when it keeps a claim', async () => {
    await using operator = await runningCluster({ observer }, { deletionPolicy: 'DeletePVCs', replicas: 1 });
    const { client } = operator.cluster;
    const pod = { ...home, name: 'demo-0' };
    await client.patch(Pod, pod, 'merge', { metadata: { labels: { 'openbao.org/cluster': null } } });
    await client.delete(OpenBaoCluster, home);
    const held = 'Deleting: Waiting for PersistentVolumeClaim data-demo-0 (used by Pod demo-0) to be deleted';
    await operator.untilCondition('Available', held);
    await client.delete(Pod, pod);
    await deleted(operator);
    assert.deepEqual(await dataIn(operator).then((names) => names.filter((name) => !name.includes('tls'))), []);
  });

  test('pods and Jobs of others stay, whatever labels they have', async () => {
    await using operator = await runningCluster({ observer }, { deletionPolicy: 'DeletePVCs', replicas: 1 });
    const { client, clock } = operator.cluster;
    const { metadata, spec } = await client.get(Pod, { ...home, name: 'demo-0' });
    const containers = [{ name: 'other', image: 'other' }];
    const others = { ...home, name: 'other', labels: metadata.labels ?? {} };
    await client.create(Pod, { apiVersion: 'v1', kind: 'Pod', metadata: others, spec: { containers } });
    const template = { spec: { containers, restartPolicy: 'Never' } };
    await client.create(Job, { apiVersion: 'batch/v1', kind: 'Job', metadata: others, spec: { template } });
    assert.notEqual(spec, undefined);
    await deleted(operator);
    await clock.advance(seconds(5));
    assert.ok((await namesOf(Pod, operator)).includes('other'));
    assert.deepEqual(await namesOf(Job, operator), ['other']);
  });

  test('with Retain, too, the servers have ended before the cluster is gone', async () => {
    await using operator = await runningCluster({ observer }, { replicas: 1 });
    const { client, clock } = operator.cluster;
    const pod = { ...home, name: 'demo-0' };
    const hold = (finalizers: string[] | null) => client.patch(Pod, pod, 'merge', { metadata: { finalizers } });
    await hold(['example.com/hold']);
    await client.delete(OpenBaoCluster, home);
    const held = 'Deleting: Waiting for Pod demo-0 (held by example.com/hold) to be deleted';
    await operator.untilCondition('Available', held);
    await clock.advance(minutes(1));
    assert.notEqual(await client.find(OpenBaoCluster, home), undefined);
    await hold(null);
    await deleted(operator);
  });

  test('a cluster of the same name in another namespace stays as it is', async () => {
    await using operator = await runningCluster({ observer }, { deletionPolicy: 'DeletePVCs', replicas: 1 });
    const { client, clock } = operator.cluster;
    const other = { ...home, namespace: 'other' };
    await client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: other.namespace } });
    await client.create(OpenBaoCluster, { ...openbaoFixture({ replicas: 1 }), metadata: other });
    const isAvailable = async () => {
      const { status } = await client.get(OpenBaoCluster, other);
      return status?.conditions?.some(({ type, message }) => type === 'Available' && allReady(1).endsWith(message));
    };
    await clock.until(isAvailable);
    await deleted(operator);
    await clock.advance(seconds(5));
    assert.ok(await isAvailable());
    const { items } = await client.list(Secret, { namespace: other.namespace });
    assert.deepEqual(items.map(({ metadata }) => metadata.name).toSorted(), allSecrets.toSorted());
    assert.equal((await client.list(PersistentVolumeClaim, { namespace: other.namespace })).items.length, 1);
  });
}
