// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ConfigMap } from '@forge/kube/kinds/builtin.ts';
import { timestamp } from '@forge/runtime/environment/clock.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { controllerReference } from '@forge/runtime/objects/owner-reference.ts';
import { Keystone } from '../api/keystone.ts';
import {
  allReady,
  createKeystone,
  home,
  startKeystoneOperator,
  type KeystoneOperator,
} from '../test/start-keystone-operator.ts';

const labels = { 'forge.c5c3.io/config-base': 'identity-config' };

async function configure({ cluster: { client, clock } }: KeystoneOperator, size: number): Promise<void> {
  // Ages are whole seconds; of two ConfigMaps of one second the name decides.
  await clock.advance(seconds(1));
  const extraConfig = { DEFAULT: { max_token_size: String(size) } };
  await client.patch(Keystone, home, 'merge', { spec: { extraConfig } });
  await clock.advance(seconds(45));
}

/** The token sizes of the configurations that are left, and the names of ConfigMaps that are none. */
async function left({ cluster: { client } }: KeystoneOperator): Promise<string[]> {
  const { items } = await client.list(ConfigMap, {
    namespace: home.namespace,
    labelSelector: 'forge.c5c3.io/config-base=identity-config',
  });
  return items
    .map(({ metadata, data }) =>
      data === undefined ? metadata.name : (/max_token_size = (\d+)/.exec(data['keystone.conf'] ?? '')?.[1] ?? 'none'),
    )
    .toSorted();
}

describe('old configurations', () => {
  test('are deleted but for three and the current one, whenever it was made; those of others are left alone', async () => {
    await using operator = await startKeystoneOperator();
    const { client } = operator.cluster;
    const metadata = { namespace: home.namespace, name: 'identity-config-unowned', labels };
    await client.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
    await createKeystone(operator);
    await operator.untilCondition('Ready', allReady);
    for (const size of [1, 2, 3]) await configure(operator, size);
    assert.deepEqual(await left(operator), ['1', '2', '3', 'identity-config-unowned', 'none']);
    for (const size of [4, 5]) await configure(operator, size);
    assert.deepEqual(await left(operator), ['2', '3', '4', '5', 'identity-config-unowned']);
    // Back to the oldest: it is the current one again, and is not pruned.
    for (const size of [2, 6]) await configure(operator, size);
    assert.deepEqual(await left(operator), ['3', '4', '5', '6', 'identity-config-unowned']);
  });

  test('of one second are kept by their names, the last in order', async () => {
    await using operator = await startKeystoneOperator();
    const { client, clock } = operator.cluster;
    await createKeystone(operator);
    await operator.untilCondition('Ready', allReady);
    const ownerReferences = [controllerReference(await operator.keystone())];
    for (const letter of ['c', 'a', 'e', 'b', 'd']) {
      const metadata = { namespace: home.namespace, name: `identity-config-${letter}`, labels, ownerReferences };
      await client.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
    }
    await clock.advance(seconds(5));
    const kept = (await left(operator)).filter((name) => name !== 'none');
    assert.deepEqual(kept, ['identity-config-c', 'identity-config-d', 'identity-config-e']);
  });

  test('stay while the rollout is not complete: old pods mount them', async () => {
    let stuckSince = '9999';
    await using operator = await startKeystoneOperator((component, { metadata: { creationTimestamp = '' } }) =>
      component === 'api' && creationTimestamp >= stuckSince ? { ready: 'never' } : {},
    );
    await createKeystone(operator);
    await operator.untilCondition('Ready', allReady);
    for (const size of [1, 2, 3]) await configure(operator, size);
    stuckSince = timestamp(operator.cluster.clock);
    await configure(operator, 4);
    assert.deepEqual(await left(operator), ['1', '2', '3', '4', 'none']);
    stuckSince = '9999';
    await operator.cluster.clock.advance(seconds(60));
    assert.deepEqual(await left(operator), ['1', '2', '3', '4']);
  });
});
