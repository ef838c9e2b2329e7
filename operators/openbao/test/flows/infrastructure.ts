// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ConfigMap,
  Ingress,
  NetworkPolicy,
  PersistentVolumeClaim,
  Pod,
  Role,
  Service,
  ServiceAccount,
  StatefulSet,
} from '@forge/kube/kinds/builtin.ts';
import type { CatalogObserver } from '@forge/runtime/conditions/condition-catalog.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { annotations, configKey } from '../../api/names.ts';
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
import { startOpenBaoOperator, type StartedOpenBaoOperator } from '../start-openbao-operator.ts';
import { upgraded } from '../upgrades.ts';

/** A cluster of which a pod is stuck, so that no other may go. */
async function unfitCluster(observer: CatalogObserver): Promise<StartedOpenBaoOperator> {
  let isStuck = false;
  const operator = await runningCluster({
    observer,
    behavior: ({ metadata }) => (isStuck && metadata.name === 'demo-2' ? { stuck: 'cannot pull' } : undefined),
  });
  await operator.cluster.clock.advance(seconds(40));
  isStuck = true;
  await operator.cluster.client.delete(Pod, { ...home, name: 'demo-2' });
  return operator;
}

const untilUnfit = (operator: StartedOpenBaoOperator) =>
  operator.untilCondition(
    'Degraded',
    '+ClusterNotReady: The upgrade to 2.7.2 begins when the cluster is healthy: it waits for demo-2 to be ready',
  );

/** The uids of the pods by name. */
async function podsOf({ cluster }: StartedOpenBaoOperator): Promise<Record<string, string | undefined>> {
  const { items } = await cluster.client.list(Pod, { namespace: home.namespace });
  return Object.fromEntries(items.map(({ metadata }) => [metadata.name, metadata.uid]));
}

/** The StatefulSet and what can be done with it. */
export function infrastructureFlows(observer: CatalogObserver): void {
  test('pods that are added get the former template, and the change follows', async () => {
    const born = new Map<string, string | undefined>();
    const behavior = ({ metadata: { name, annotations: marks } }: Pod) => {
      if (!born.has(name)) born.set(name, marks?.[annotations.configHash]);
      return undefined;
    };
    await using operator = await runningCluster({ observer, behavior }, { replicas: 1 });
    await changeSpec(operator, { config: { log_level: 'debug' }, replicas: 3 });
    await operator.untilCondition('Available', allReady(3));
    assert.deepEqual([born.size, new Set(born.values()).size], [3, 1]);
    await operator.untilCondition('Upgrading', upgraded('2.7.2', '2.7.2'));
    await operator.cluster.clock.advance(seconds(10));
    const { data = {} } = (await found(ConfigMap, 'demo-config', operator)) ?? {};
    assert.deepEqual([Object.keys(data).length, await operator.condition('Available')], [3, allReady(3)]);
  });

  test('the configuration that pods are held at is made again under its name, too', async () => {
    await using operator = await unfitCluster(observer);
    await changeSpec(operator, { config: { log_level: 'debug' } });
    await untilUnfit(operator);
    const config = { ...home, name: 'demo-config' };
    const keys = async () => Object.keys((await found(ConfigMap, config.name, operator))?.data ?? {}).toSorted();
    const held = await keys();
    assert.equal(held.length, 4, held.join());
    await operator.cluster.client.delete(ConfigMap, config);
    await operator.cluster.clock.until(async () => (await found(ConfigMap, config.name, operator)) !== undefined);
    assert.deepEqual(await keys(), held);
  });

  test('a pod that is held comes back with its own configuration', async () => {
    await using operator = await unfitCluster(observer);
    const { client, clock } = operator.cluster;
    const pod = { ...home, name: 'demo-0' };
    const hash = (await client.get(Pod, pod)).metadata.annotations?.[annotations.configHash] ?? '';
    const held = async () => (await found(ConfigMap, 'demo-config', operator))?.data?.[configKey(hash)];
    const former = await held();
    assert.match(former ?? '', /auto_join/);
    await changeSpec(operator, { config: { log_level: 'debug' } });
    await untilUnfit(operator);
    const { uid } = (await client.get(Pod, pod)).metadata;
    await client.delete(Pod, pod);
    await clock.until(async () => (await found(Pod, pod.name, operator))?.metadata.uid !== uid);
    await clock.advance(seconds(20));
    assert.equal((await client.get(Pod, pod)).metadata.annotations?.[annotations.configHash], hash);
    assert.equal(await held(), former);
  });

  test('the configuration of every pod stays, whatever the template says', async () => {
    await using operator = await runningCluster({ observer }, { replicas: 1 });
    const { client, clock } = operator.cluster;
    const change = { metadata: { annotations: { [annotations.configHash]: 'other' } } };
    await client.patch(Pod, { ...home, name: 'demo-0' }, 'merge', change);
    await clock.settle();
    const { data = {} } = (await found(ConfigMap, 'demo-config', operator)) ?? {};
    assert.ok(configKey('other') in data, Object.keys(data).join());
  });

  for (const kind of [NetworkPolicy, ServiceAccount, Role]) {
    test(`no pod starts without its ${kind.kind}`, async () => {
      await using operator = await startOpenBaoOperator({ observer });
      const allow = await operator.deny('create', kind);
      await operator.cluster.client.create(OpenBaoCluster, openbaoFixture({ replicas: 1 }));
      const refused = new RegExp(`^\\+ApplyRejected: ${kind.kind} demo-\\S+ was refused: `);
      await operator.cluster.clock.until(async () => refused.test((await operator.condition('Degraded')) ?? ''));
      assert.equal(await found(StatefulSet, 'demo', operator), undefined);
      await allow();
      await operator.untilCondition('Available', allReady(1));
    });
  }

  test('pods are added without a restart, and not taken away', async () => {
    await using operator = await runningCluster({ observer });
    const before = await podsOf(operator);
    await changeSpec(operator, { replicas: 5 });
    await operator.untilCondition('Available', allReady(5));
    const { 'demo-3': third, 'demo-4': fourth, ...others } = await podsOf(operator);
    assert.ok(third !== undefined && fourth !== undefined);
    assert.deepEqual(others, before);
    await changeSpec(operator, { replicas: 3 });
    await operator.untilCondition(
      'Degraded',
      '+ScaleDownHeld: 5 pods stay although spec.replicas is 3: servers leave the Raft cluster only with a credential for upgrades: run forge seed, and set spec.upgrade.jwtAuthRole',
    );
    assert.match((await operator.condition('Available')) ?? '', /^\+AllReplicasReady: /);
    assert.equal(Object.keys(await podsOf(operator)).length, 5);
    // Nor by a StatefulSet that somebody has deleted and that is made anew.
    const { client, clock } = operator.cluster;
    const { metadata } = await client.get(StatefulSet, { ...home, name: 'demo' });
    await client.delete(StatefulSet, { ...home, name: 'demo' }, { propagation: 'Orphan' });
    await clock.until(
      async () => ((await found(StatefulSet, 'demo', operator))?.metadata.uid ?? metadata.uid) !== metadata.uid,
    );
    await clock.advance(seconds(5));
    assert.equal((await found(StatefulSet, 'demo', operator))?.spec?.replicas, 5);
    assert.equal(Object.keys(await podsOf(operator)).length, 5);
    await changeSpec(operator, { replicas: 5 });
    await operator.untilCondition('Degraded', membersUnknown);
  });

  test('what the spec does not ask for any more goes', async () => {
    const ingress = { enabled: true, host: 'bao.example.com', path: '/' };
    const service = { type: 'ClusterIP' } as const;
    await using operator = await runningCluster({ observer }, { replicas: 1, ingress, service });
    const exposed = async () => [...(await namesOf(Ingress, operator)), ...(await namesOf(Service, operator))];
    assert.deepEqual(await exposed(), ['demo', 'demo', 'demo-public', 'kubernetes']);
    await changeSpec(operator, { ingress: null, service: null });
    await operator.cluster.clock.settle();
    assert.deepEqual(await exposed(), ['demo', 'kubernetes']);
  });

  test('what is no version is named before any pod starts, and its correction heals', async () => {
    await using operator = await startOpenBaoOperator({ observer });
    await operator.cluster.client.create(OpenBaoCluster, openbaoFixture({ version: 'latest', replicas: 1 }));
    const invalid = '+InvalidVersion: spec.version latest is not a version such as 2.7.2';
    await operator.untilCondition('Degraded', invalid);
    assert.deepEqual(await namesOf(StatefulSet, operator), []);
    await changeSpec(operator, { version: '2.7.2' });
    await operator.untilCondition('Available', allReady(1));
  });

  test('a lower version than the one that ran is refused', async () => {
    await using operator = await runningCluster({ observer }, { replicas: 1 });
    await changeSpec(operator, { version: '2.6.2' });
    await operator.untilCondition('Degraded', '+DowngradeBlocked: Downgrade from 2.7.2 to 2.6.2 is not allowed');
    assert.equal(await operator.condition('Available'), allReady(1));
    const { spec } = (await found(StatefulSet, 'demo', operator)) ?? {};
    assert.equal(spec?.template.spec?.containers[0]?.image, 'openbao/openbao:2.7.2');
    await changeSpec(operator, { version: '2.7.2' });
    await operator.untilCondition('Degraded', prerequisitesReady);
  });

  test('a seal that the server does not have is named before any pod starts', async () => {
    await using operator = await startOpenBaoOperator({ observer });
    const awskms = { region: 'eu-west-1', kmsKeyID: 'key' };
    const spec = openbaoFixture({ unseal: { type: 'awskms', awskms }, replicas: 1 });
    await operator.cluster.client.create(OpenBaoCluster, spec);
    const unsupported =
      '+SealUnsupported: OpenBao 2.7.2 has no seal awskms built in, and would not start: add a plugin of type kms with the name awskms to spec.plugins';
    await operator.untilCondition('Degraded', unsupported);
    assert.deepEqual(await namesOf(StatefulSet, operator), []);
    await changeSpec(operator, { version: '2.6.2' });
    await operator.untilCondition('Available', allReady(1));
    await changeSpec(operator, { version: '2.7.2' });
    await operator.untilCondition('Degraded', unsupported);
    assert.equal(await operator.condition('Available'), allReady(1));
    const sha256sum = 'a'.repeat(64);
    await changeSpec(operator, { plugins: [{ type: 'kms', name: 'awskms', command: 'awskms', sha256sum }] });
    await operator.untilCondition('Upgrading', upgraded('2.6.2', '2.7.2'));
  });

  test('before it is initialised, another size and class re-create the set and its claim', async () => {
    let isStuck = true;
    const behavior = () => (isStuck ? ({ stuck: { reason: 'ContainerCreating' } } as const) : undefined);
    await using operator = await startOpenBaoOperator({ observer, behavior });
    const { client, clock } = operator.cluster;
    await client.create(OpenBaoCluster, openbaoFixture({ replicas: 1 }));
    await clock.until(async () => (await found(PersistentVolumeClaim, 'data-demo-0', operator)) !== undefined);
    const set = await found(StatefulSet, 'demo', operator);
    await changeSpec(operator, { storage: { size: '2Gi', storageClassName: 'fast' } });
    await clock.until(async () => {
      const { metadata, spec } = (await found(PersistentVolumeClaim, 'data-demo-0', operator)) ?? {};
      return metadata?.deletionTimestamp === undefined && spec?.storageClassName === 'fast';
    });
    isStuck = false;
    await operator.untilCondition('Available', allReady(1));
    assert.notEqual((await found(StatefulSet, 'demo', operator))?.metadata.uid, set?.metadata.uid);
    const claim = await found(PersistentVolumeClaim, 'data-demo-0', operator);
    assert.equal(claim?.spec?.resources?.requests?.['storage'], '2Gi');
  });

  test('what somebody deletes is made again', async () => {
    await using operator = await runningCluster({ observer }, { replicas: 1 });
    const { client, clock } = operator.cluster;
    await client.delete(StatefulSet, { ...home, name: 'demo' }, { propagation: 'Orphan' });
    const pods = await podsOf(operator);
    await clock.until(async () => (await found(StatefulSet, 'demo', operator)) !== undefined);
    await clock.advance(seconds(10));
    assert.deepEqual(await podsOf(operator), pods);
    assert.equal(await operator.condition('Available'), allReady(1));
  });
}
