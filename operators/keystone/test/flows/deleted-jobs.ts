// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Job } from '@forge/kube/kinds/builtin.ts';
import type { CatalogObserver } from '@forge/runtime/conditions/condition-catalog.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { refusal } from '@forge/testing/refusal.ts';
import { Keystone } from '../../api/keystone.ts';
import { failedContract } from '../failed-contract.ts';
import { createInstalled, deployedTag, jobOf, podTags, releases, setTag, tagOf, untilStart } from '../releases.ts';
import { allReady, home, startKeystoneOperator, type KeystoneOperator } from '../start-keystone-operator.ts';

const noDowngrade = 'DowngradeNotSupported: downgrade from 2026.1 to 2025.2 is not supported';
const ahead = '+DatabaseSynced: Database schema is ahead of 2025.2 (expanded for 2026.1, upgrade aborted)';

/** Jobs of an upgrade that somebody deletes, and what is known without them. */
export function deletedJobFlows(observer: CatalogObserver): void {
  test('an upgrade is not aborted once contract may have run, although its Job was deleted', async () => {
    const contractJob = { fails: true };
    await using operator = await failedContract(contractJob, observer);
    await setTag(operator, '2025.2');
    await deleteJob(operator, 'db-contract');
    await operator.untilCondition('DatabaseReady', noDowngrade);
    await operator.cluster.clock.advance(minutes(2));
    assert.deepEqual([await operator.condition('DatabaseReady'), await podTags(operator)], [noDowngrade, ['2026.1']]);
    contractJob.fails = false;
    await setTag(operator, '2026.1');
    await operator.untilCondition('Ready', allReady);
    assert.equal((await operator.keystone()).status?.contractedRelease, undefined);
  });

  test('an upgrade is not aborted after a contract Job of which nothing is remembered', async () => {
    await using operator = await failedContract({ fails: true }, observer);
    await setTag(operator, '2025.2');
    await operator.untilCondition('DatabaseReady', noDowngrade);
    // As an earlier version of the operator leaves it.
    const status = { contractedRelease: null };
    await operator.cluster.client.patch(Keystone, home, 'merge', { status }, { subresource: 'status' });
    await operator.cluster.clock.advance(minutes(2));
    assert.equal((await operator.keystone()).status?.contractedRelease, undefined);
    assert.deepEqual([await operator.condition('DatabaseReady'), await podTags(operator)], [noDowngrade, ['2026.1']]);
  });

  test('another patch during contract does not make an abort possible again', async () => {
    const contractJob = { fails: true };
    await using operator = await failedContract(contractJob, observer);
    await deleteJob(operator, 'db-contract');
    await setTag(operator, '2026.1-p1');
    await operator.cluster.clock.until(async () => (await releases(operator))[2] === 'RollingUpdate');
    await deleteJob(operator, 'db-contract');
    await setTag(operator, '2025.2');
    await untilStart(operator, 'DatabaseReady', 'DowngradeNotSupported: downgrade from 2026.1-p1 to 2025.2');
    await operator.cluster.clock.advance(minutes(2));
    assert.notEqual(await deployedTag(operator), '2025.2');
    contractJob.fails = false;
    await setTag(operator, '2026.1-p1');
    await operator.untilCondition('Ready', allReady);
  });

  test('an expand Job that was deleted may have run: after an abort the schema stays ahead', async () => {
    await using operator = await startKeystoneOperator(
      (component) => (component === 'db-expand' ? { ready: 'never', exit: 'never' } : {}),
      { observer },
    );
    await createInstalled(operator);
    await setTag(operator, '2026.1');
    await untilStart(operator, 'DatabaseReady', 'ExpandInProgress: Expand phase running');
    await operator.cluster.clock.advance(seconds(5));
    assert.deepEqual(await releases(operator), ['2025.2', '2026.1', 'Expanding', undefined]);
    await setTag(operator, '2025.2');
    await deleteJob(operator, 'db-expand');
    await operator.untilCondition('DatabaseReady', ahead);
    await operator.untilCondition('Ready', allReady);
  });

  test('an expand Job that was to be created may have been: after an abort the schema stays ahead, and is upgraded again', async () => {
    let refuses = true;
    await using operator = await startKeystoneOperator(undefined, {
      observer,
      async before({ method, path, body }) {
        if (refuses && method === 'POST' && path.includes('/jobs') && JSON.stringify(body).includes('-db-expand'))
          throw refusal(503, 'ServiceUnavailable', 'not today');
      },
    });
    await createInstalled(operator);
    await setTag(operator, '2026.1');
    await operator.cluster.clock.until(async () => (await operator.keystone()).status?.expandJob === 'pending');
    await setTag(operator, '2025.2');
    await operator.untilCondition('DatabaseReady', ahead);
    await operator.untilCondition('Ready', allReady);
    refuses = false;
    await setTag(operator, '2026.1');
    await operator.cluster.clock.until(async () => (await releases(operator))[0] === '2026.1');
    await operator.untilCondition('Ready', allReady);
  });

  test('an expand Job that could not start is no proof for the one before it, which was deleted', async () => {
    let isStuck = false;
    await using operator = await startKeystoneOperator(
      (component, { spec }) => {
        if (component !== 'db-expand' || tagOf(spec) !== '2026.1') return {};
        return isStuck ? { stuck: 'cannot pull' } : { ready: 'never', exit: 'never' };
      },
      { observer },
    );
    await createInstalled(operator);
    await setTag(operator, '2026.1');
    await untilStart(operator, 'DatabaseReady', 'ExpandInProgress: Expand phase running');
    isStuck = true;
    await deleteJob(operator, 'db-expand');
    await untilStart(operator, 'DatabaseReady', 'ExpandInProgress: Expand phase running: 2025.2 → 2026.1: ImagePull');
    await setTag(operator, '2025.2');
    await operator.untilCondition('DatabaseReady', ahead);
    assert.equal(await jobOf(operator, 'db-expand'), undefined);
  });
}

async function deleteJob({ cluster: { client } }: KeystoneOperator, suffix: string): Promise<void> {
  await client.delete(Job, { ...home, name: `${home.name}-${suffix}` }, { propagation: 'Background' });
}
