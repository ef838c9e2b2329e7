// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { eventually } from '@forge/testing/programs/eventually.ts';
import type { LiveKeystone } from './live-keystone.ts';
import type { LocalKeystones } from './local-keystones.ts';
import { loneKeystone } from './lone-keystone.ts';
import { secretLeaks } from './secret-leaks.ts';
import { upgradeDuring } from './upgrade-history.ts';

describe('the upgrade of a Keystone', () => {
  const stack = new AsyncDisposableStack();
  let cluster: LocalKeystones;
  let keystone: LiveKeystone;

  before(async () => {
    ({ cluster, keystone } = await loneKeystone(stack, { image: { repository: 'c5c3/keystone', tag: '2025.1' } }));
  });
  after(() => stack.disposeAsync());

  const release = (tag: string) => keystone.change({ image: { tag } });

  /** Tags of the images that the API pods run. */
  const tags = async () =>
    (await keystone.pods()).map(({ spec }) => spec?.containers[0]?.image?.replace(/.*:/, '') ?? '').toSorted();

  const untilPhase = (phase: string) =>
    eventually(`phase ${phase}`, async () => (await keystone.get()).status?.upgradePhase === phase, {
      observed: () => keystone.get(),
    });

  async function upgradeTo(tag: string): Promise<void> {
    const { phases, events } = await upgradeDuring(cluster, keystone, () =>
      keystone.underLoad(async () => {
        await release(tag);
        await keystone.untilReady();
        await eventually('only the new release serves', async () => (await tags()).join() === tag);
      }),
    );
    assert.deepEqual(phases, ['Expanding', 'Migrating', 'RollingUpdate', 'Contracting']);
    assert.deepEqual(events, [
      'UpgradeInitiated',
      'ExpandComplete',
      'MigrateComplete',
      'DeploymentRolloutComplete',
      'UpgradeComplete',
    ]);
    assert.equal((await keystone.get()).status?.installedRelease, tag);
  }

  /** Starts an upgrade, reverts the tag in this phase, and resolves with the Events of the upgrade. */
  async function abortIn(phase: string, from: string, to: string): Promise<string[]> {
    const { events } = await upgradeDuring(cluster, keystone, () =>
      keystone.underLoad(async () => {
        await release(to);
        await untilPhase(phase);
        await release(from);
        const { status } = await keystone.untilReady();
        assert.deepEqual(
          [status?.installedRelease, status?.targetRelease, status?.upgradePhase],
          [from, undefined, undefined],
        );
        await eventually('only the installed release serves', async () => (await tags()).join() === from);
      }),
    );
    return events;
  }

  test('to the next release goes through its phases in order, without a failed request', async () => {
    await upgradeTo('2025.2');
  });

  test('that is reverted after the schema was expanded is aborted, without a failed request', async () => {
    const events = await abortIn('Migrating', '2025.2', '2026.1');
    assert.deepEqual(events, ['UpgradeInitiated', 'ExpandComplete', 'UpgradeAborted']);
  });

  test('that is reverted after the data was migrated is aborted, without a failed request', async () => {
    const events = await abortIn('RollingUpdate', '2025.2', '2026.1');
    assert.deepEqual(events, ['UpgradeInitiated', 'ExpandComplete', 'MigrateComplete', 'UpgradeAborted']);
  });

  test('that was aborted twice can be completed later', async () => {
    const token = await keystone.login();
    await upgradeTo('2026.1');
    assert.equal(await keystone.identity.validate(token), 'admin');
  });
  test('no secret value appears outside of Secrets', async () => {
    assert.deepEqual(await secretLeaks(cluster), []);
  });
});
