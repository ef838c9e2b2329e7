// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { Keystone } from '@forge/keystone/api/keystone.ts';
import { seededRandom } from '@forge/runtime/environment/seeded-random.ts';
import { eventually } from '@forge/testing/programs/eventually.ts';
import { createKeystone, type LiveKeystone } from './live-keystone.ts';
import { localKeystones, type LocalKeystones } from './local-keystones.ts';
import { killOperator } from './operator-kills.ts';
import { ownedObjects } from './owned-objects.ts';
import { keysOf, rotate } from './rotation.ts';
import { secretLeaks } from './secret-leaks.ts';
import { existing } from './sql.ts';
import { createTenant } from './tenant.ts';

/** Each round kills the operator five times; `npm run e2e:long` has four. */
const rounds = Math.ceil(Number(process.env['FORGE_KILLS'] ?? '5') / 5);
const seed = Number(process.env['FORGE_E2E_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

/**
 * Names without the parts that differ between Keystones and between runs: their own name, hashes and generated
 * suffixes. Jobs are omitted, since some of them are deleted some time after they have ended.
 */
function withoutHashes(objects: readonly string[]): string[] {
  const generated = /(-[0-9a-f]{8,64}|-[b-df-hj-np-tv-xz0-9]{5,10})+$/;
  const names = objects.map((each) => each.replace(/ (quiet|killed\d+)/, ' keystone').replace(generated, ''));
  return [...new Set(names)].filter((each) => !/^(Job|Pod) keystone-/.test(each)).toSorted();
}

describe('an operator that is killed', () => {
  const namespace = 'identity';
  const stack = new AsyncDisposableStack();
  let cluster: LocalKeystones;
  let undisturbed: LiveKeystone;

  before(async () => {
    cluster = stack.use(await localKeystones());
    await createTenant(cluster, namespace);
    undisturbed = await createKeystone(cluster, { namespace, name: 'quiet' });
    await undisturbed.untilReady();
    await changed(undisturbed);
  });
  after(() => stack.disposeAsync());

  /** Changes each Keystone after it is ready. */
  async function changed(keystone: LiveKeystone, kill: () => Promise<void> = async () => undefined): Promise<void> {
    const change = () => keystone.change({ extraConfig: { token: { expiration: '7200' } } });
    // The operator that was just killed also serves the webhooks.
    await eventually('the change is accepted', () => change().catch(() => undefined));
    await Promise.all([kill(), keystone.untilReady()]);
    await Promise.all([kill(), rotate(cluster.client, keystone, 'fernet')]);
    await keystone.untilReady();
  }

  const stateOf = async (keystone: LiveKeystone) => ({
    conditions: (await keystone.get()).status?.conditions?.map(({ type, status, reason }) => [type, status, reason]),
    objects: withoutHashes(await ownedObjects(cluster, keystone.ref)),
    fernetKeys: Object.keys((await keysOf(cluster.client, keystone, 'fernet')).keys),
  });

  for (let round = 0; round < rounds; round += 1) {
    test(`at five times of seed ${seed + round} reaches the same state as without kills`, async () => {
      console.log(`FORGE_E2E_SEED=${seed} FORGE_KILLS=${rounds * 5}, round ${round}`);
      const random = seededRandom(seed + round);
      const kill = (maxDelay: number) => killOperator(cluster, Math.floor(random.number() * maxDelay));
      const ref = { namespace, name: `killed${round}` };
      const keystone = await createKeystone(cluster, ref);
      await kill(10_000);
      await kill(20_000);
      await keystone.untilReady();
      await changed(keystone, () => kill(5000));
      await keystone.login();
      await eventually('the old pods are deleted', async () => (await keystone.pods()).length === 1);
      const expected = await stateOf(undisturbed);
      const isSame = async () => isDeepStrictEqual(await stateOf(keystone), expected);
      await eventually('its state is the same', isSame, { minutes: 1 }).catch(() => undefined);
      assert.deepEqual(await stateOf(keystone), expected);

      await cluster.client.delete(Keystone, ref);
      await kill(2000);
      await eventually('the Keystone is deleted', async () => (await cluster.client.find(Keystone, ref)) === undefined);
      await eventually('its objects are deleted', async () => (await ownedObjects(cluster, ref)).length === 0, {
        observed: () => ownedObjects(cluster, ref),
      });
      await eventually(
        'its database is deleted',
        async () => (await existing(cluster, namespace, ref.name)).length === 0,
        { observed: () => existing(cluster, namespace, ref.name) },
      );
    });
  }

  test('leaves no secret value outside of Secrets', async () => {
    assert.deepEqual(await secretLeaks(cluster), []);
  });
});
