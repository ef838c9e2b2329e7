// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigMap } from '@forge/kube/kinds/builtin.ts';
import type { CatalogObserver } from '@forge/runtime/conditions/condition-catalog.ts';
import { Specimen } from '../../api/specimen.ts';
import { home, specimenFixture } from '../specimen-fixture.ts';
import { startSpecimenOperator } from '../start-specimen-operator.ts';

const config = { ...home, name: 'first-config' };

/** What is reported about the ConfigMap. */
export function configFlows(observer: CatalogObserver): void {
  test('covers a Specimen without a text, until it has one', async () => {
    await using operator = await startSpecimenOperator({ observer });
    const { client } = operator.cluster;
    await client.create(Specimen, specimenFixture({}));
    await operator.untilCondition('ConfigReady', 'NoText: Set spec.text: there is nothing to write');
    await client.patch(Specimen, home, 'merge', { spec: { text: 'Hello' } });
    await operator.untilCondition('Ready', '+AllReady: All sub-resources are ready');
    assert.deepEqual((await client.get(ConfigMap, config)).data, { text: 'Hello' });
  });

  test('covers a ConfigMap of somebody else, which stays as it is', async () => {
    await using operator = await startSpecimenOperator({ observer });
    const { client, clock } = operator.cluster;
    await client.create(ConfigMap, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: config,
      data: { text: 'Mine' },
    });
    await client.create(Specimen, specimenFixture());
    await clock.until(async () => (await operator.condition('ConfigReady'))?.startsWith('ApplyRejected: '));
    assert.deepEqual((await client.get(ConfigMap, config)).data, { text: 'Mine' });
  });
}
