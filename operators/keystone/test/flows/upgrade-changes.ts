// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CatalogObserver } from '@forge/runtime/conditions/condition-catalog.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { prometheusMetrics } from '@forge/runtime/observability/prometheus-metrics.ts';
import { countedErrors } from '@forge/testing/counted-errors.ts';
import { Keystone } from '../../api/keystone.ts';
import { failedContract } from '../failed-contract.ts';
import { createInstalled, deployedTag, jobOf, podTags, releases, setTag, tagOf, untilStart } from '../releases.ts';
import { allReady, home, startKeystoneOperator } from '../start-keystone-operator.ts';

const ahead = '+DatabaseSynced: Database schema is ahead of 2025.2 (expanded for 2026.1, upgrade aborted)';
const verified = '+DatabaseSynced: Database schema is up to date (revision verified)';
const expanding = 'ExpandInProgress: Expand phase running: 2025.2 → 2026.1';

/** Tags that change during an upgrade: aborts, other patches, other releases. */
export function upgradeChangeFlows(observer: CatalogObserver): void {
  test('an upgrade whose image cannot be pulled is aborted without a trace', async () => {
    await using operator = await startKeystoneOperator(
      (_, { spec }) => (tagOf(spec) === '2026.1' ? { stuck: 'cannot pull', terminationDelay: seconds(30) } : {}),
      { observer },
    );
    await createInstalled(operator);
    await setTag(operator, '2026.1');
    await operator.untilCondition(
      'DatabaseReady',
      `${expanding}: ImagePullBackOff: image "c5c3/keystone:2026.1" cannot be pulled`,
    );
    await setTag(operator, '2025.2');
    await operator.cluster.clock.advance(seconds(10));
    assert.notEqual((await jobOf(operator, 'db-expand'))?.metadata.deletionTimestamp, undefined, 'its pod still ends');
    assert.equal(
      (await releases(operator))[2],
      'Expanding',
      'it is aborted when nothing can touch the schema any more',
    );
    assert.ok(!(await operator.events()).includes('UpgradeAborted'));
    await operator.untilCondition('DatabaseReady', verified);
    assert.deepEqual(await releases(operator), ['2025.2', undefined, undefined, undefined]);
    assert.equal(await jobOf(operator, 'db-expand'), undefined);
    assert.ok((await operator.events()).includes('UpgradeAborted'));
    await operator.untilCondition('Ready', allReady);
  });

  test('Jobs of an earlier upgrade do not count for the next one', async () => {
    await using operator = await startKeystoneOperator(
      (_, { spec }) => (tagOf(spec) === '2026.2' ? { stuck: 'cannot pull' } : {}),
      { observer },
    );
    await createInstalled(operator);
    await setTag(operator, '2026.1');
    await operator.cluster.clock.until(async () => (await releases(operator))[0] === '2026.1');
    await operator.untilCondition('Ready', allReady);
    await setTag(operator, '2026.2');
    await untilStart(operator, 'DatabaseReady', 'ExpandInProgress: Expand phase running: 2026.1 → 2026.2: ImagePull');
    await setTag(operator, '2026.1');
    await operator.untilCondition('DatabaseReady', verified);
    assert.deepEqual(await releases(operator), ['2026.1', undefined, undefined, undefined]);
  });

  test('an abort waits for a phase at work; then the schema stays ahead, and the upgrade can be tried again', async () => {
    let hangs = true;
    await using operator = await startKeystoneOperator(
      (component) => (component === 'db-expand' && hangs ? { exit: 'never' } : {}),
      { observer },
    );
    await createInstalled(operator);
    const synced = (await jobOf(operator, 'db-sync'))?.metadata.uid;
    await setTag(operator, '2026.1');
    await operator.cluster.clock.until(async () => ((await jobOf(operator, 'db-expand'))?.status?.ready ?? 0) > 0);
    const expand = (await jobOf(operator, 'db-expand'))?.metadata.uid;
    await setTag(operator, '2025.2');
    await operator.cluster.clock.advance(minutes(2));
    assert.equal(await operator.condition('DatabaseReady'), expanding);
    assert.equal((await jobOf(operator, 'db-expand'))?.metadata.uid, expand);
    assert.deepEqual(await releases(operator), ['2025.2', '2026.1', 'Expanding', '2026.1']);

    hangs = false;
    await operator.untilCondition('DatabaseReady', ahead);
    await operator.untilCondition('Ready', allReady);
    assert.deepEqual(await releases(operator), ['2025.2', undefined, undefined, '2026.1']);
    assert.equal((await jobOf(operator, 'db-sync'))?.metadata.uid, synced);

    await setTag(operator, '2026.1');
    await operator.cluster.clock.until(async () => (await releases(operator))[0] === '2026.1');
    await operator.untilCondition('Ready', allReady);
    assert.deepEqual(await releases(operator), ['2026.1', undefined, undefined, undefined]);

    hangs = true;
    await setTag(operator, '2026.2');
    await operator.cluster.clock.until(async () => ((await jobOf(operator, 'db-expand'))?.status?.ready ?? 0) > 0);
    await setTag(operator, '2026.1');
    hangs = false;
    // The contract Job that still exists belongs to the previous upgrade.
    await untilStart(operator, 'DatabaseReady', '+DatabaseSynced: Database schema is ahead of 2026.1');
  });

  for (const [phase, component] of [
    ['Migrating', 'db-migrate'],
    ['RollingUpdate', 'api'],
  ] as const) {
    test(`an upgrade aborted in ${phase} leaves the schema ahead, and the old release serves`, async () => {
      await using operator = await startKeystoneOperator(
        (running, { spec }) => {
          if (running !== component || tagOf(spec) !== '2026.1') return {};
          return running === 'api' ? { ready: 'never' } : { exit: { code: 1, after: seconds(1) } };
        },
        { observer },
      );
      await createInstalled(operator);
      const synced = (await jobOf(operator, 'db-sync'))?.metadata.uid;
      await setTag(operator, '2026.1');
      if (phase === 'Migrating') await untilStart(operator, 'DatabaseReady', 'MigrateFailed');
      else await operator.cluster.clock.until(async () => (await podTags(operator)).length === 2);
      assert.equal((await releases(operator))[2], phase);
      // With another configuration, which the old release would otherwise be synced with.
      const spec = { image: { tag: '2025.2' }, extraConfig: { DEFAULT: { debug: 'true' } } };
      await operator.cluster.client.patch(Keystone, home, 'merge', { spec });
      await operator.untilCondition('DatabaseReady', ahead);
      assert.equal((await jobOf(operator, 'db-sync'))?.metadata.uid, synced);
      await operator.untilCondition('Ready', allReady);
      assert.deepEqual(
        [await deployedTag(operator), await podTags(operator), await jobOf(operator, 'db-expand')],
        ['2025.2', ['2025.2'], undefined],
      );
    });
  }

  test('an upgrade aborted in Contracting before contract has begun leaves the schema ahead', async () => {
    let isAborted = false;
    await using operator = await startKeystoneOperator(undefined, {
      observer,
      async before({ path, body }) {
        if (isAborted || !path.endsWith('/status') || !JSON.stringify(body).includes('contractedRelease')) return;
        isAborted = true;
        assert.deepEqual(await releases(operator), ['2025.2', '2026.1', 'Contracting', '2026.1']);
        await setTag(operator, '2025.2');
      },
    });
    await createInstalled(operator);
    await setTag(operator, '2026.1');
    await operator.untilCondition('DatabaseReady', ahead);
    await operator.untilCondition('Ready', allReady);
    assert.deepEqual(
      [await deployedTag(operator), await podTags(operator), await jobOf(operator, 'db-contract')],
      ['2025.2', ['2025.2'], undefined],
    );
    assert.ok((await operator.events()).includes('UpgradeAborted'));
    await setTag(operator, '2026.1');
    await operator.cluster.clock.until(async () => (await releases(operator))[0] === '2026.1');
  });

  test('an upgrade is not aborted once contract may have run', async () => {
    const contractJob = { fails: true };
    await using operator = await failedContract(contractJob, observer);
    await setTag(operator, '2025.2');
    await operator.untilCondition(
      'DatabaseReady',
      'DowngradeNotSupported: downgrade from 2026.1 to 2025.2 is not supported',
    );
    await operator.cluster.clock.advance(minutes(2));
    assert.equal(await deployedTag(operator), '2026.1');
    contractJob.fails = false;
    await setTag(operator, '2026.1');
    await operator.untilCondition('Ready', allReady);
    assert.equal((await releases(operator))[0], '2026.1');
  });

  test('a third release is refused during an upgrade, and another patch of the target is taken', async () => {
    const metrics = prometheusMetrics();
    await using operator = await startKeystoneOperator(
      (_, { spec }) => (tagOf(spec) === '2026.1' ? { stuck: 'cannot pull' } : {}),
      { observer, metrics },
    );
    await createInstalled(operator);
    await setTag(operator, '2026.1');
    await untilStart(operator, 'DatabaseReady', `${expanding}: ImagePullBackOff`);
    assert.deepEqual(countedErrors(await metrics.text()), []);
    await setTag(operator, '2026.2');
    await operator.untilCondition(
      'DatabaseReady',
      'UpgradeTargetChanged: Image tag changed to 2026.2 during active upgrade 2025.2 → 2026.1; complete or roll back the current upgrade first',
    );
    assert.deepEqual(countedErrors(await metrics.text()), ['Database DatabaseReady']);
    assert.equal(await deployedTag(operator), '2025.2');
    await setTag(operator, '2026.1-p1');
    await operator.cluster.clock.until(async () => (await releases(operator))[0] === '2026.1-p1');
    await operator.untilCondition('Ready', allReady);
    assert.equal(await deployedTag(operator), '2026.1-p1');
  });

  test('another patch during contract rolls out before contract goes on', async () => {
    const contractJob = { fails: true };
    await using operator = await failedContract(contractJob, observer);
    const contract = (await jobOf(operator, 'db-contract'))?.metadata.uid;
    contractJob.fails = false;
    await setTag(operator, '2026.1-p1');
    await operator.cluster.clock.until(async () => {
      const job = await jobOf(operator, 'db-contract');
      return job !== undefined && job.metadata.uid !== contract;
    });
    assert.deepEqual(await podTags(operator), ['2026.1-p1']);
    await operator.cluster.clock.until(async () => (await releases(operator))[0] === '2026.1-p1');
    await operator.untilCondition('Ready', allReady);
  });
}
