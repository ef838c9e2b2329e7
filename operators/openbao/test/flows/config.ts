// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigMap } from '@forge/kube/kinds/builtin.ts';
import type { CatalogObserver } from '@forge/runtime/conditions/condition-catalog.ts';
import { minutes } from '@forge/runtime/environment/duration.ts';
import { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { home, openbaoFixture } from '../openbao-fixture.ts';
import { startOpenBaoOperator } from '../start-openbao-operator.ts';

const config = { ...home, name: 'demo-config' };
const notStarted = 'NoReplicasReady: No pod is started: this version of the operator only writes ConfigMap demo-config';

/** What is said of the ConfigMap. */
export function configFlows(observer: CatalogObserver): void {
  test('covers a cluster whose configuration follows its spec, and which costs nothing once it is written', async () => {
    await using operator = await startOpenBaoOperator({ observer });
    const { client, clock } = operator.cluster;
    await client.create(OpenBaoCluster, openbaoFixture());
    await operator.untilCondition('Available', notStarted);
    await client.patch(OpenBaoCluster, home, 'merge', { spec: { config: { log_level: 'debug' } } });
    await clock.until(async () =>
      (await client.get(ConfigMap, config)).data?.['config.hcl']?.endsWith('log_level = "debug"\n'),
    );
    await clock.advance(minutes(1));
    operator.writes();
    await clock.advance(minutes(600));
    assert.deepEqual(operator.writes(), []);
  });

  test('covers a paused cluster, which is left alone until it is not paused any more', async () => {
    await using operator = await startOpenBaoOperator({ observer });
    const { client } = operator.cluster;
    await client.create(OpenBaoCluster, openbaoFixture({ paused: true }));
    await operator.untilCondition('Available', 'Paused: Nothing is changed while spec.paused is true');
    assert.equal(await client.find(ConfigMap, config), undefined);
    await client.patch(OpenBaoCluster, home, 'merge', { spec: { paused: false } });
    await operator.untilCondition('Available', notStarted);
  });

  test('covers a ConfigMap of somebody else, which stays as it is', async () => {
    await using operator = await startOpenBaoOperator({ observer });
    const { client, clock } = operator.cluster;
    const data = { 'config.hcl': 'mine' };
    await client.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: config, data });
    await client.create(OpenBaoCluster, openbaoFixture());
    await clock.until(async () => (await operator.condition('Available'))?.startsWith('ApplyRejected: '));
    assert.deepEqual((await client.get(ConfigMap, config)).data, data);
  });
}
