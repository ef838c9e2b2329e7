// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Deployment } from '@forge/kube/kinds/builtin.ts';
import type { CatalogObserver } from '@forge/runtime/conditions/condition-catalog.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { prometheusMetrics } from '@forge/runtime/observability/prometheus-metrics.ts';
import { countedErrors } from '@forge/testing/counted-errors.ts';
import { Keystone } from '../../api/keystone.ts';
import { keystoneFixture } from '../keystone-fixture.ts';
import { createInstalled, deployedTag, jobOf, podTags, releases, setTag, tagOf, untilStart } from '../releases.ts';
import { allReady, createCredentials, home, startKeystoneOperator, namesIn } from '../start-keystone-operator.ts';

const lifecycle = [
  'UpgradeInitiated',
  'ExpandComplete',
  'MigrateComplete',
  'DeploymentRolloutComplete',
  'UpgradeComplete',
];

const databaseErrors = ['Database DatabaseReady'];

/** Upgrades that come to their end, and tags that are refused. */
export function upgradeFlows(observer: CatalogObserver): void {
  test('an upgrade expands, migrates, rolls out, and contracts only when no pod of the old release is left', async () => {
    await using operator = await startKeystoneOperator(
      (component, { spec }) => {
        if (component === 'db-migrate') return { exit: { code: 0, after: seconds(20) } };
        return component === 'api' && tagOf(spec) === '2025.2' ? { terminationDelay: minutes(2) } : {};
      },
      { observer },
    );
    await createInstalled(operator);
    await setTag(operator, '2026.1');
    await untilStart(operator, 'DatabaseReady', 'MigrateInProgress: Migrate phase running');
    assert.equal(await deployedTag(operator), '2025.2');
    assert.deepEqual(await releases(operator), ['2025.2', '2026.1', 'Migrating', '2026.1']);

    const rollingOut = 'UpgradeRollingUpdate: Waiting for Deployment rollout: 2025.2 → 2026.1';
    await operator.untilCondition('DatabaseReady', rollingOut);
    await operator.cluster.clock.until(async () => (await podTags(operator)).length === 2);
    await untilStart(operator, 'DeploymentReady', '+');
    assert.equal(await operator.condition('DatabaseReady'), rollingOut);
    await operator.cluster.clock.advance(seconds(60));
    assert.deepEqual(
      [await podTags(operator), await jobOf(operator, 'db-contract')],
      [['2025.2', '2026.1'], undefined],
    );
    await operator.cluster.clock.until(async () => (await jobOf(operator, 'db-contract')) !== undefined);
    assert.deepEqual(await podTags(operator), ['2026.1']);

    await operator.untilCondition(
      'DatabaseReady',
      '+DatabaseSynced: Database schema is up to date (revision verified)',
    );
    await operator.untilCondition('Ready', allReady);
    assert.deepEqual(await releases(operator), ['2026.1', undefined, undefined, undefined]);
    const events = await operator.events();
    assert.deepEqual(events.filter((reason) => lifecycle.includes(reason)).toSorted(), lifecycle.toSorted());
    for (const suffix of ['db-expand', 'db-migrate', 'db-contract', 'db-sync', 'schema-check']) {
      assert.equal(tagOf((await jobOf(operator, suffix))?.spec?.template.spec), '2026.1');
    }
  });

  for (const [phase, reason, serving] of [
    ['expand', 'ExpandFailed', '2025.2'],
    ['migrate', 'MigrateFailed', '2025.2'],
    ['contract', 'ContractFailed', '2026.1'],
  ] as const) {
    test(`a ${phase} Job that fails is run again, and replicas change meanwhile`, async () => {
      let broken = true;
      const metrics = prometheusMetrics();
      await using operator = await startKeystoneOperator(
        (component) =>
          component === `db-${phase}` && broken ? { exit: { code: 1, after: seconds(1), message: 'no table' } } : {},
        { observer, metrics },
      );
      await createInstalled(operator);
      await setTag(operator, '2026.1');
      await operator.untilCondition(
        'DatabaseReady',
        `${reason}: ${phase[0]?.toUpperCase()}${phase.slice(1)} job identity-db-${phase} failed: ` +
          `job has permanently failed: openstack/identity-db-${phase}: Error: no table`,
      );
      assert.ok((await operator.events()).includes(reason));
      assert.deepEqual(countedErrors(await metrics.text()), databaseErrors);
      await operator.cluster.client.patch(Keystone, home, 'merge', { spec: { replicas: 5 } });
      await operator.cluster.clock.settle();
      assert.equal((await operator.cluster.client.get(Deployment, home)).spec?.replicas, 5);
      assert.equal(await deployedTag(operator), serving);
      broken = false;
      await operator.untilCondition('Ready', allReady);
      assert.equal((await releases(operator))[0], '2026.1');
    });
  }

  for (const [tag, text, event] of [
    [
      'latest',
      'VersionParseError: failed to parse target release "latest": invalid release format "latest": expected YYYY.N',
      'VersionParseError',
    ],
    ['2025.1', 'DowngradeNotSupported: downgrade from 2025.2 to 2025.1 is not supported', 'DowngradeNotSupported'],
    [
      '2026.2',
      'UpgradePathInvalid: upgrade from 2025.2 to 2026.2 is not sequential; only sequential upgrades are supported',
      'UpgradePathInvalid',
    ],
  ] as const) {
    test(`${tag} is refused before any Job starts; what serves still gets replicas`, async () => {
      const metrics = prometheusMetrics();
      await using operator = await startKeystoneOperator(undefined, { observer, metrics });
      await createInstalled(operator);
      assert.deepEqual(countedErrors(await metrics.text()), []);
      const uids = async () =>
        await Promise.all(
          ['db-sync', 'schema-check'].map(async (suffix) => (await jobOf(operator, suffix))?.metadata.uid),
        );
      const before = await uids();
      await setTag(operator, tag);
      await operator.untilCondition('DatabaseReady', text);
      assert.ok((await operator.events()).includes(event));
      assert.deepEqual(countedErrors(await metrics.text()), databaseErrors);
      await operator.cluster.client.patch(Keystone, home, 'merge', { spec: { replicas: 2 } });
      await operator.cluster.clock.advance(minutes(2));
      assert.deepEqual(await uids(), before);
      assert.equal(await jobOf(operator, 'db-expand'), undefined);
      const { spec } = await operator.cluster.client.get(Deployment, home);
      assert.deepEqual([spec?.replicas, tagOf(spec?.template.spec)], [2, '2025.2']);
      await setTag(operator, '2025.2');
      await operator.untilCondition('Ready', allReady);
    });
  }

  test('an installed release that cannot be read is refused, too', async () => {
    const metrics = prometheusMetrics();
    await using operator = await startKeystoneOperator(undefined, { observer, metrics });
    await createInstalled(operator);
    const status = { installedRelease: 'antelope' };
    await operator.cluster.client.patch(Keystone, home, 'merge', { status }, { subresource: 'status' });
    await operator.untilCondition(
      'DatabaseReady',
      'VersionParseError: failed to parse installed release "antelope": invalid release format "antelope": expected YYYY.N',
    );
    assert.deepEqual(countedErrors(await metrics.text()), databaseErrors);
  });

  test('another patch of the installed release is synced without an upgrade', async () => {
    await using operator = await startKeystoneOperator(undefined, { observer });
    await createInstalled(operator);
    await setTag(operator, '2025.2-p1');
    await operator.cluster.clock.until(async () => (await releases(operator))[0] === '2025.2-p1');
    await operator.untilCondition('Ready', allReady);
    assert.equal(await deployedTag(operator), '2025.2-p1');
    assert.equal((await namesIn(operator, Deployment)).length, 1);
  });

  test('a tag that names no release runs, and does not keep later ones from being installed', async () => {
    await using operator = await startKeystoneOperator(undefined, { observer });
    await createCredentials(operator);
    const image = { repository: 'c5c3/keystone', tag: 'latest' };
    await operator.cluster.client.create(Keystone, keystoneFixture({ image }));
    await operator.untilCondition('Ready', allReady);
    assert.deepEqual(await releases(operator), [undefined, undefined, undefined, undefined]);
    await setTag(operator, '2026.1');
    await operator.cluster.clock.until(async () => (await releases(operator))[0] === '2026.1');
  });
}
