// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { Keystone } from '@forge/keystone/api/keystone.ts';
import { keyTypes, keyNamesOf } from '@forge/keystone/api/names.ts';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { eventually } from '@forge/testing/programs/eventually.ts';
import { createKeystone, createResource, liveKeystone, type LiveKeystone } from './live-keystone.ts';
import { localKeystones, type LocalKeystones } from './local-keystones.ts';
import { ownedObjects } from './owned-objects.ts';
import { secretLeaks } from './secret-leaks.ts';
import { existing, rootSession } from './sql.ts';
import { checkCredential, storeCredential } from './stored-credential.ts';
import { canary, createMemcached, createTenant, readSecret } from './tenant.ts';

type Ref = LiveKeystone['ref'];

const first = { namespace: 'one', name: 'keystone' };
const neighbour = { namespace: 'one', name: 'neighbour' };
const namesake = { namespace: 'two', name: 'keystone' };
/** Keystones that are deleted this many milliseconds after their creation. */
const brief = new Map([500, 3000, 9000].map((delay) => [delay, { namespace: 'one', name: `brief${delay}` }]));

describe('Keystones in the same cluster', () => {
  const stack = new AsyncDisposableStack();
  let cluster: LocalKeystones;
  const live = new Map<string, LiveKeystone>();

  before(async () => {
    cluster = stack.use(await localKeystones());
    await createTenant(cluster, 'one');
    await createTenant(cluster, 'two');
  });
  after(() => stack.disposeAsync());

  async function created(ref: Ref): Promise<LiveKeystone> {
    const keystone = await createKeystone(cluster, ref);
    live.set(`${ref.namespace}/${ref.name}`, keystone);
    return keystone;
  }

  const liveOf = ({ namespace, name }: Ref) =>
    live.get(`${namespace}/${name}`) ?? assert.fail(`no ${namespace}/${name}`);

  /** Waits until a Keystone is deleted. */
  const gone = (ref: Ref) =>
    eventually(
      `${ref.namespace}/${ref.name} is gone`,
      async () => (await cluster.client.find(Keystone, ref)) === undefined,
      { observed: () => cluster.client.find(Keystone, ref) },
    );

  /** What a Keystone could leave behind: objects, its database and account, backups in OpenBao. */
  async function leftovers({ namespace, name }: Ref): Promise<string[]> {
    const backups = keyTypes.map((keyType) => `openstack/keystone/${namespace}/${name}/${keyType}-keys`);
    const stored = await Promise.all(
      backups.map(async (path) => ((await readSecret(cluster, path)) === undefined ? [] : [path])),
    );
    const objects = await ownedObjects(cluster, { namespace, name });
    return [...objects, ...(await existing(cluster, namespace, name)), ...stored.flat()];
  }

  /** Waits until the keys of a Keystone are in OpenBao. */
  const backedUp = (ref: Ref) =>
    eventually(
      'its keys are backed up',
      async () => (await leftovers(ref)).filter((each) => each.startsWith('openstack/')).length === 2,
    );

  async function checkNothingLeft(ref: Ref): Promise<void> {
    await eventually(
      `nothing is left of ${ref.namespace}/${ref.name}`,
      async () => (await leftovers(ref)).length === 0,
      { observed: () => leftovers(ref) },
    );
  }

  test('in the same namespace, or with the same name in two, have separate users, tokens and keys', async () => {
    const keystones = await Promise.all([first, neighbour, namesake].map(created));
    await Promise.all(keystones.map((keystone) => keystone.untilReady()));
    const tokens = await Promise.all(keystones.map((keystone) => keystone.login()));
    for (const [index, keystone] of keystones.entries()) {
      await keystone.identity.createProject(tokens[index] ?? '', `only-in-${index}`);
    }
    for (const [index, { identity }] of keystones.entries()) {
      const projects = await identity.projects(tokens[index] ?? '');
      assert.deepEqual(
        projects.filter((name) => name.startsWith('only-in-')),
        [`only-in-${index}`],
      );
      for (const other of tokens.filter((_, at) => at !== index)) {
        await assert.rejects(identity.validate(other), /answered 40[14]/);
      }
    }
    assert.deepEqual(await existing(cluster, 'one', 'neighbour'), ['database', 'account', 'grant']);
  });

  test('are deleted with everything that was created for them, without effect on others', async () => {
    await backedUp(neighbour);
    await cluster.client.delete(Keystone, neighbour);
    await gone(neighbour);
    await checkNothingLeft(neighbour);
    assert.equal((await liveOf(first).condition('Ready'))?.status, 'True');
    await liveOf(first).login();
  });

  test('created again on an empty database with the old Memcached, issue tokens', async () => {
    await createResource(cluster, neighbour);
    await liveOf(neighbour).untilReady();
    await liveOf(neighbour).login();
  });

  test('deleted seconds after their creation leave nothing behind', async () => {
    for (const [delay, ref] of brief) {
      await created(ref);
      await setTimeout(delay);
      await cluster.client.delete(Keystone, ref);
      await gone(ref);
      await checkNothingLeft(ref);
    }
  });

  test('deleted while External Secrets is stopped wait for it and report that', async () => {
    await backedUp(namesake);
    await cluster.standIns.stop('external-secrets');
    try {
      await cluster.client.delete(Keystone, namesake);
      const message = await liveOf(namesake).untilReason('SecretsReady', 'OpenBaoFinalizerBlocked');
      assert.match(message, /Waiting for PushSecret "keystone-(fernet|credential)-keys-backup"/);
      assert.ok((await leftovers(namesake)).some((each) => each.startsWith('openstack/')));
    } finally {
      await cluster.standIns.start('external-secrets');
    }
    await gone(namesake);
    await checkNothingLeft(namesake);
    assert.equal((await liveOf(first).condition('Ready'))?.status, 'True');
    await backedUp(first);
  });

  test('on an unmanaged database keep their keys: credentials can be read after they are created again', async () => {
    const ref = { namespace: 'two', name: 'brown' };
    const [password, administrator] = [canary(), canary()];
    const session = await rootSession(cluster, ref.namespace);
    const account = { name: ref.name, host: '%' };
    await session.ensureDatabase({ name: ref.name, characterSet: 'utf8mb4', collate: 'utf8mb4_general_ci' });
    await session.ensureUser(account, { password, maxUserConnections: 100 });
    await session.grant(account, {
      privileges: ['ALL PRIVILEGES'],
      database: ref.name,
      table: '*',
      grantOption: false,
    });
    const plainSecret = (name: string, stringData: Record<string, string>): Secret => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace: ref.namespace, name },
      stringData,
    });
    await cluster.client.create(Secret, plainSecret('brown-db', { username: ref.name, password }));
    await cluster.client.create(Secret, plainSecret('brown-admin', { password: administrator }));
    await createMemcached(cluster, ref.namespace, 'brown-cache');
    const host = 'mariadb.two.svc.cluster.local';
    const overrides = { database: { host, database: ref.name, secretRef: { name: 'brown-db' } } };
    await createResource(cluster, ref, overrides);
    const keystone = await liveKeystone(cluster, ref, administrator);
    const { metadata } = await keystone.untilReady();
    const stored = await storeCredential(keystone);
    await cluster.client.delete(Keystone, ref);
    await gone(ref);
    const kept = keyTypes.map((keyType) => keyNamesOf({ metadata } as Keystone, keyType).keys);
    for (const name of kept) assert.ok(await cluster.client.find(Secret, { namespace: ref.namespace, name }), name);

    await createResource(cluster, ref, overrides);
    await keystone.untilReady();
    await checkCredential(keystone, stored);
  });

  test('are not created again after they were deleted', async () => {
    for (const ref of [namesake, ...brief.values()]) assert.deepEqual(await leftovers(ref), []);
  });

  test('no secret value appears outside of Secrets', async () => {
    assert.deepEqual(await secretLeaks(cluster), []);
  });
});
