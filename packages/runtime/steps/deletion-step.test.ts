// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { ConfigMap, Event } from '@forge/kube/kinds/builtin.ts';
import { refusal } from '@forge/testing/refusal.ts';
import { minutes, seconds } from '../environment/duration.ts';
import { home, siteOperator, type SiteOperator } from '../test/site-operator.ts';
import { Site, type Services } from '../test/site.ts';
import { deletionStepFor } from './deletion-step.ts';
import { failed, ready, waiting, type Outcome } from './outcome.ts';
import { owned } from './owned.ts';
import { stepFor } from './step.ts';

const deletionStep = deletionStepFor<Site, Services>();
const backupsFinalizer = 'test.forge.c5c3.io/backups';
const accountFinalizer = 'test.forge.c5c3.io/account';
const otherFinalizer = 'vendor.example/hold';

const step = stepFor<Site, Services>();
const seen: (string[] | undefined)[] = [];

const content = step({
  name: 'Content',
  condition: 'ContentReady',
  owns: [ConfigMap],
  async run({ object, apply }) {
    seen.push(object.metadata.finalizers);
    await apply<ConfigMap>({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'page' } });
    return ready('Applied', '');
  },
});

const other = step({ name: 'Other', condition: 'OtherReady', run: async () => ready('Fine', '') });

describe('a deletion pipeline', () => {
  let operator: SiteOperator;
  let ran: string[];
  let backupsSay: () => Outcome<unknown, object>;
  let accountSays: () => Outcome<unknown, object>;

  const finalizers = async () => (await operator.site()).metadata.finalizers;
  const isGone = async () => (await operator.cluster.client.find(Site, home)) === undefined;
  const events = async () =>
    (await operator.cluster.client.list(Event, { namespace: 'default' })).items.map(({ reason }) => reason);

  async function remove(): Promise<void> {
    await operator.cluster.client.delete(Site, home);
    await operator.cluster.clock.settle();
  }

  beforeEach(async () => {
    operator = await siteOperator();
    ran = [];
    seen.length = 0;
    backupsSay = () => ready('Fine', '', { event: { type: 'Normal', reason: 'BackupsGone', message: 'deleted' } });
    accountSays = () => ready('Fine', '', { event: { type: 'Normal', reason: 'AccountGone', message: 'deleted' } });
    operator.deletion = [
      deletionStep({
        name: 'FinalizeBackups',
        finalizer: backupsFinalizer,
        condition: 'ContentReady',
        run: async () => {
          ran.push('backups');
          return await Promise.resolve(backupsSay());
        },
      }),
      deletionStep({
        name: 'FinalizeAccount',
        finalizer: accountFinalizer,
        run: async () => {
          ran.push('account');
          return await Promise.resolve(accountSays());
        },
      }),
    ];
  });

  afterEach(async () => {
    await operator[Symbol.asyncDispose]();
  });

  test('adds every finalizer in one request, before any step runs', async () => {
    await operator.start(content);
    assert.deepEqual(operator.writes(), ['PATCH sites/home', 'PATCH configmaps/page', 'PUT sites/home/status']);
    assert.deepEqual(await finalizers(), [backupsFinalizer, accountFinalizer]);
    assert.deepEqual(seen[0], [backupsFinalizer, accountFinalizer]);
    assert.deepEqual(ran, []);
  });

  test('does not overwrite a finalizer that somebody else adds at the same time', async () => {
    operator.cluster.connection.intercept = async ({ method, path }) => {
      if (method !== 'PATCH' || !path.endsWith('/sites/home')) return;
      operator.cluster.connection.intercept = () => undefined;
      await operator.cluster.client.patch(Site, home, 'merge', { metadata: { finalizers: [otherFinalizer] } });
    };
    await operator.start(content);
    await operator.cluster.clock.advance(seconds(1));
    assert.deepEqual(await finalizers(), [otherFinalizer, backupsFinalizer, accountFinalizer]);
  });

  test('adds back a finalizer that somebody removed, and keeps those of others', async () => {
    await operator.start(content);
    const metadata = { finalizers: [otherFinalizer, accountFinalizer] };
    await operator.cluster.client.patch(Site, home, 'merge', { metadata });
    await operator.cluster.clock.settle();
    assert.deepEqual(await finalizers(), [otherFinalizer, accountFinalizer, backupsFinalizer]);
  });

  test('removes all finalizers whose steps are ready in one request, after Events, and saves no status for them', async () => {
    await operator.start(content);
    operator.writes();
    await remove();
    assert.deepEqual(ran, ['backups', 'account']);
    assert.deepEqual(operator.writes(), ['POST events', 'POST events', 'PATCH sites/home']);
    assert.deepEqual(new Set(await events()), new Set(['AccountGone', 'BackupsGone']));
    assert.equal(await isGone(), true);
  });

  test('removes one finalizer while the other waits, with the reason in the condition, and continues when it can', async () => {
    await operator.start(content, other);
    operator.writes();
    backupsSay = () => waiting('BackupsBlocked', 'one is left', seconds(15));
    await remove();
    assert.deepEqual(operator.writes(), ['POST events', 'PUT sites/home/status', 'PATCH sites/home']);
    assert.deepEqual(await finalizers(), [backupsFinalizer]);
    assert.deepEqual(await operator.conditions(), [
      'ContentReady False BackupsBlocked',
      'OtherReady True Fine',
      'Ready False NotAllReady',
    ]);
    ran.length = 0;
    await operator.cluster.clock.advance(seconds(31));
    assert.deepEqual(ran, ['backups', 'backups']);
    backupsSay = () => ready('Fine', '');
    await operator.cluster.clock.advance(seconds(15));
    assert.equal(await isGone(), true);
  });

  test('keeps a finalizer whose step failed or threw, and retries', async () => {
    await operator.start(content);
    backupsSay = () => failed('StoreAway', 'no connection');
    accountSays = () => {
      throw new Error('no network');
    };
    await remove();
    await operator.cluster.clock.advance(minutes(1));
    assert.deepEqual(await finalizers(), [backupsFinalizer, accountFinalizer]);
    assert.ok(ran.length > 10);
    backupsSay = () => ready('Fine', '');
    accountSays = () => ready('Fine', '');
    await operator.cluster.clock.advance(minutes(2));
    assert.equal(await isGone(), true);
  });

  test('runs no ordinary step, and no step whose finalizer is missing', async () => {
    await operator.start(content);
    await operator.stop();
    await operator.cluster.client.patch(Site, home, 'merge', {
      metadata: { finalizers: [otherFinalizer, accountFinalizer] },
    });
    await operator.cluster.client.delete(ConfigMap, { namespace: 'default', name: 'page' });
    await operator.cluster.client.delete(Site, home);
    operator.writes();
    await operator.restart(content);
    assert.deepEqual(ran, ['account']);
    assert.deepEqual(operator.writes(), ['POST events', 'PATCH sites/home']);
    assert.deepEqual(await finalizers(), [otherFinalizer]);
    await operator.cluster.clock.advance(minutes(20));
    assert.deepEqual(ran, ['account']);
  });

  test('removes nothing when the list has changed, and retries', async () => {
    await operator.start(content);
    backupsSay = () => waiting('BackupsBlocked', '', seconds(15));
    const { uid } = (await operator.site()).metadata;
    const bodies: unknown[] = [];
    operator.cluster.connection.intercept = async ({ method, path, body }) => {
      if (method !== 'PATCH' || !path.endsWith('/sites/home')) return;
      bodies.push(body);
      if (bodies.length > 1) return;
      // Somebody else removes one between our read and our request.
      const metadata = { finalizers: [accountFinalizer] };
      await operator.cluster.client.patch(Site, home, 'merge', { metadata });
    };
    await remove();
    await operator.cluster.clock.advance(seconds(1));
    assert.equal(await isGone(), true);
    const tested = { op: 'test', path: '/metadata/uid', value: uid };
    const path = '/metadata/finalizers';
    assert.deepEqual(bodies, [
      [
        tested,
        { op: 'test', path, value: [backupsFinalizer, accountFinalizer] },
        { op: 'replace', path, value: [backupsFinalizer] },
      ],
      [tested, { op: 'test', path, value: [accountFinalizer] }, { op: 'replace', path, value: [] }],
    ]);
    assert.deepEqual(
      operator.cluster.logged.filter(({ level }) => level === 'error'),
      [],
    );
  });

  test('removes nothing from a successor of the same name', async () => {
    await operator.start(content);
    const metadata = { ...home, finalizers: [backupsFinalizer, accountFinalizer] };
    operator.deletion = operator.deletion.map((each) => ({
      ...each,
      async run() {
        if (each.finalizer !== backupsFinalizer) return waiting('Wait', '', seconds(60));
        await operator.cluster.client.patch(Site, home, 'merge', { metadata: { finalizers: null } });
        await operator.cluster.client.create(Site, { apiVersion: Site.apiVersion, kind: 'Site', metadata, spec: {} });
        await operator.cluster.clock.settle();
        return ready('Fine', '');
      },
    }));
    await operator.restart(content);
    operator.writes();
    await remove();
    await operator.cluster.clock.settle();
    assert.deepEqual(
      operator.writes().filter((request) => request === 'PATCH sites/home'),
      [],
    );
    assert.deepEqual(await finalizers(), metadata.finalizers);
  });

  test('removes finalizers even when the status cannot be saved', async () => {
    await operator.start(content);
    backupsSay = () => waiting('BackupsBlocked', '', seconds(15));
    operator.cluster.connection.intercept = ({ path }) => {
      if (path.endsWith('/status')) throw refusal(422, 'Invalid', 'status is not to be had');
    };
    await remove();
    assert.deepEqual(await finalizers(), [backupsFinalizer]);
  });

  test('creates what it needs although an object of that name was deleted before', async () => {
    const job = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'job' } } as const;
    operator.deletion = [
      deletionStep({
        name: 'CleanUp',
        finalizer: backupsFinalizer,
        owns: [owned(ConfigMap, 'create')],
        async run({ create }) {
          const { data } = await create<ConfigMap>(job);
          return data === undefined ? waiting('Wait', '', seconds(10)) : ready('Fine', '');
        },
      }),
    ];
    await operator.start(content);
    await remove();
    const name = { namespace: 'default', name: 'job' };
    await operator.cluster.client.delete(ConfigMap, name);
    await operator.cluster.clock.advance(seconds(15));
    await operator.cluster.client.patch(ConfigMap, name, 'merge', { data: { done: 'yes' } });
    await operator.cluster.clock.settle();
    assert.equal(await isGone(), true);
  });

  test('runs a step after the one that it needs, also in a later pass, and saves the status fields that it writes', async () => {
    const [backups] = operator.deletion;
    assert.ok(backups !== undefined);
    const url = 'https://bye.example';
    let isDone = false;
    operator.deletion = [
      backups,
      deletionStep({
        name: 'CloseAccount',
        finalizer: accountFinalizer,
        needs: { backups },
        writes: ['url'],
        async run() {
          ran.push('account');
          return isDone ? ready() : waiting('Wait', '', seconds(10), { status: { url } });
        },
      }),
    ];
    await operator.start(content);
    backupsSay = () => waiting('BackupsBlocked', '', seconds(15));
    await remove();
    assert.ok(!ran.includes('account'));
    ran.length = 0;
    backupsSay = () => ready('Fine', '');
    await operator.cluster.clock.advance(seconds(16));
    assert.deepEqual(await finalizers(), [accountFinalizer]);
    assert.equal((await operator.site()).status?.url, url);
    isDone = true;
    await operator.cluster.clock.advance(seconds(11));
    assert.deepEqual([...new Set(ran)], ['backups', 'account']);
    assert.equal(ran.filter((name) => name === 'backups').length, 1);
    assert.equal(await isGone(), true);
  });

  test('rejects two steps that share a finalizer', async () => {
    const [first] = operator.deletion;
    assert.ok(first !== undefined);
    operator.deletion = [first, { ...first, name: 'Other' }];
    const message = `steps FinalizeBackups and Other share the finalizer ${backupsFinalizer}`;
    await assert.rejects(operator.start(content), { message });
  });
});
