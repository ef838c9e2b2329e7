// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigMap, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import type { CatalogObserver } from '@forge/runtime/conditions/condition-catalog.ts';
import { minutes } from '@forge/runtime/environment/duration.ts';
import { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { home, openbaoFixture } from '../openbao-fixture.ts';
import { allReady, changeSpec, found, namesOf, runningCluster } from '../running-cluster.ts';
import { startOpenBaoOperator } from '../start-openbao-operator.ts';

const paused = 'Paused: Nothing is changed while spec.paused is true';

/** A cluster that is left alone. */
export function pausedFlows(observer: CatalogObserver): void {
  test('a paused cluster is left alone until it is not paused any more', async () => {
    await using operator = await startOpenBaoOperator({ observer });
    await operator.cluster.client.create(OpenBaoCluster, openbaoFixture({ paused: true, replicas: 1 }));
    await operator.untilCondition('Available', paused);
    assert.deepEqual(await namesOf(ConfigMap, operator), []);
    await changeSpec(operator, { paused: false });
    await operator.untilCondition('Available', allReady(1));
  });

  test('a cluster that is paused while it runs keeps its pods, and nothing that is deleted is made again', async () => {
    await using operator = await runningCluster({ observer });
    const { client, clock } = operator.cluster;
    await changeSpec(operator, { paused: true, replicas: 5 });
    await operator.untilCondition('Available', paused);
    assert.equal(await operator.condition('TLSReady'), paused);
    assert.equal(await operator.condition('Degraded'), paused);
    operator.writes();
    await client.delete(ConfigMap, { ...home, name: 'demo-config' });
    await clock.advance(minutes(1));
    assert.deepEqual(operator.writes(), []);
    assert.equal((await found(StatefulSet, 'demo', operator))?.spec?.replicas, 3);
    await changeSpec(operator, { paused: false });
    await operator.untilCondition('Available', allReady(5));
    assert.notEqual(await found(ConfigMap, 'demo-config', operator), undefined);
  });
}
