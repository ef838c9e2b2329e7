// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PersistentVolumeClaim, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import type { CatalogObserver } from '@forge/runtime/conditions/condition-catalog.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { annotations } from '../../api/names.ts';
import { home } from '../openbao-fixture.ts';
import { allReady, changeSpec, found } from '../running-cluster.ts';
import { imagesOf, untilUpgrading, upgraded, votingCluster } from '../upgrades.ts';

/** Pods that are replaced one by one. */
export function upgradeFlows(observer: CatalogObserver): void {
  test('a higher version reaches one pod after the other, and the leader hands over before its pod goes', async () => {
    await using operator = await votingCluster({ observer });
    const { client, clock } = operator.cluster;
    await changeSpec(operator, { version: '2.8.0' });
    await untilUpgrading(/^\+UpgradeInProgress: Pod demo-2, the 1\. of 3, is upgraded to 2\.8\.0 /, operator);
    assert.equal((await operator.resource()).status?.phase, 'Upgrading');
    await operator.untilCondition('Upgrading', upgraded('2.7.2', '2.8.0'));
    assert.deepEqual(await imagesOf(operator), Array(3).fill('openbao/openbao:2.8.0'));
    const steppedDown = operator.calls().filter((call) => call.endsWith('sys/step-down'));
    assert.deepEqual(steppedDown, ['PUT demo-0 sys/step-down']);
    await clock.advance(seconds(10));
    const { upgrade, currentVersion, highestVersion, phase } = (await operator.resource()).status ?? {};
    assert.deepEqual([upgrade, currentVersion, highestVersion, phase], [undefined, '2.8.0', '2.8.0', 'Running']);
    assert.equal(await operator.condition('Available'), allReady(3));
    const set = await found(StatefulSet, 'demo', operator);
    assert.equal(set?.spec?.updateStrategy?.rollingUpdate?.partition, 3);
    const { items } = await client.list(PersistentVolumeClaim, { namespace: home.namespace });
    assert.deepEqual(
      items.map(({ metadata }) => metadata.annotations?.[annotations.version]),
      Array(3).fill('2.8.0'),
    );
    const events = await operator.events();
    for (const [reason, times] of [
      ['UpgradeStarted', 1],
      ['PodUpgraded', 3],
      ['UpgradeComplete', 1],
    ] as const)
      assert.equal(events.filter((each) => each === reason).length, times, `${reason} in ${events.join()}`);
    operator.calls();
    operator.writes();
    await clock.advance(seconds(600));
    assert.deepEqual([...operator.calls(), ...operator.writes()], []);
  });
}
