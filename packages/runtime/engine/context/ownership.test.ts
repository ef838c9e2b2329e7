// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { ConfigMap, Secret } from '@forge/kube/kinds/builtin.ts';
import { minutes, seconds } from '../../environment/duration.ts';
import { controllerReference, ownerAnnotation } from '../../objects/owner-reference.ts';
import { modified } from '../../steps/modified.ts';
import { ready } from '../../steps/outcome.ts';
import { owned } from '../../steps/owned.ts';
import { home, siteOperator, type SiteOperator } from '../../test/site-operator.ts';
import { content, keysName, keysWith, pageName, step } from '../../test/site-steps.ts';
import { Site } from '../../test/site.ts';

const secretWith = (data: Record<string, string>): Secret => ({ ...keysWith(''), data });

/** A step that applies a part of the Secret. */
const partWriter = (part: string, key: string) =>
  step({
    name: part,
    condition: `${part}Ready`,
    owns: [owned(Secret, 'apply', { part })],
    async run({ object, apply }) {
      const data = object.spec.text === `no ${part}` ? {} : { [key]: 'MQ==' };
      await apply(secretWith(data), { part });
      return ready('Fine', '');
    },
  });

/** A step that applies this value as its part of the Secret. */
const valued = (part: string, value: string) =>
  step({
    name: part,
    owns: [owned(Secret, 'apply', { part })],
    async run({ apply }) {
      await apply(secretWith({ same: 'MA==', value }), { part });
      return ready('Fine', '');
    },
  });

/** A step that applies the Secret as if it had it for itself. */
const wholeWriter = (name: string, key: string) =>
  step({
    name,
    condition: `${name}Ready`,
    owns: [Secret],
    async run({ apply }) {
      await apply(secretWith({ [key]: 'MQ==' }));
      return ready('Fine', '');
    },
  });

/** Adopts the Secret by creating or applying it. */
const adoptingBy = (act: 'apply' | 'create') =>
  step({
    name: 'Adopting',
    owns: [owned(Secret, [act, 'adopt'])],
    async run(context) {
      await context[act](keysWith('MQ=='), { adopt: true });
      return ready('Fine', '');
    },
  });

/** Steps that adopt the Secret, by what they do. */
const adopting = {
  apply: adoptingBy('apply'),
  create: adoptingBy('create'),
  patch: step({
    name: 'Adopting',
    owns: [owned(Secret, ['create'])],
    modifies: [modified(Secret, 'patch')],
    async run({ object, get, create, patch }) {
      const live = get(Secret, keysName.name) ?? (await create(keysWith('MQ==')));
      await patch(Secret, live, { metadata: { ownerReferences: [controllerReference(object)] } }, { exact: true });
      return ready('Fine', '');
    },
  }),
};

/** Adopts the Secret by creating it, or by applying it once the Site says so. */
const taking = step({
  name: 'Adopting',
  condition: 'Adopted',
  owns: [owned(Secret, ['create', 'apply', 'adopt'])],
  async run({ object, create, apply }) {
    const how = { retainOnDelete: true, adopt: true };
    await (object.spec.text === 'apply' ? apply(keysWith('MQ=='), how) : create(keysWith('MQ=='), how));
    return ready('Fine', '');
  },
});

describe('an object of a resource', () => {
  let operator: SiteOperator;

  beforeEach(async () => {
    operator = await siteOperator();
  });

  afterEach(async () => {
    await operator[Symbol.asyncDispose]();
  });

  const secret = () => operator.cluster.client.find(Secret, keysName);

  const createTheirs = (metadata: Partial<Secret['metadata']> = {}) =>
    operator.cluster.client.create(Secret, { ...keysWith('MA=='), metadata: { ...keysName, ...metadata } });

  test('is not overwritten by an apply when somebody else created it', async () => {
    const metadata = { ...pageName };
    await operator.cluster.client.create(ConfigMap, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata,
      data: { a: 'b' },
    });
    await operator.start(content);
    const message =
      'ConfigMap home-page was refused: it exists but is not controlled by Site home: delete or rename it';
    assert.equal((await operator.site()).status?.conditions?.[0]?.message, message);
    assert.deepEqual((await operator.cluster.client.get(ConfigMap, pageName)).data, { a: 'b' });
    await operator.cluster.client.delete(ConfigMap, pageName);
    await operator.cluster.clock.advance(seconds(30));
    assert.equal((await operator.conditions())[0], 'ContentReady True Applied');
  });

  test('is not overwritten by an apply before the watch has delivered that somebody else created it', async () => {
    const { cluster } = operator;
    cluster.connection.intercept = async ({ method, path }) => {
      if (method !== 'PATCH' || !path.endsWith('/home-page')) return;
      cluster.connection.intercept = () => undefined;
      cluster.connection.holdWatches('/configmaps');
      const theirs = { apiVersion: 'v1', kind: 'ConfigMap', metadata: pageName, data: { text: 'theirs' } } as const;
      await cluster.client.create(ConfigMap, theirs);
    };
    await operator.start(content);
    await cluster.clock.advance(seconds(20));
    assert.deepEqual((await cluster.client.get(ConfigMap, pageName)).data, { text: 'theirs' });
  });

  test('is created although another of its name was in the way and is gone by the time it is looked at', async () => {
    const { cluster } = operator;
    const creating = step({
      name: 'Creating',
      condition: 'Created',
      owns: [owned(Secret, 'create')],
      async run({ create }) {
        await create(keysWith('MQ=='));
        return ready('Fine', '');
      },
    });
    cluster.connection.intercept = async ({ method, path }) => {
      if (method === 'POST' && path.endsWith('/secrets')) {
        cluster.connection.holdWatches('/secrets');
        await createTheirs();
      }
      if (method !== 'GET' || !path.endsWith('/secrets/keys')) return;
      cluster.connection.intercept = () => undefined;
      await cluster.client.delete(Secret, keysName);
    };
    await operator.start(creating);
    assert.equal((await operator.conditions())[0], 'Created True Fine');
    assert.deepEqual(operator.errors(), []);
    assert.deepEqual((await secret())?.data, keysWith('MQ==').data);
  });

  for (const act of ['apply', 'create'] as const) {
    test(`is adopted by ${act} where the step declares that`, async () => {
      await createTheirs({ labels: { theirs: 'x' } });
      await operator.start(adopting[act]);
      const { metadata, data } = (await secret()) ?? keysWith('');
      assert.equal(metadata.ownerReferences?.[0]?.uid, (await operator.site()).metadata.uid);
      assert.deepEqual([metadata.labels?.['theirs'], data?.['key']], ['x', act === 'apply' ? 'MQ==' : 'MA==']);
      operator.writes();
      await operator.cluster.clock.advance(minutes(20));
      assert.deepEqual(operator.writes(), []);
    });
  }

  for (const act of ['apply', 'create', 'patch'] as const) {
    test(`is not adopted again by ${act} when its resource is deleted and leaves it, before the watch delivers that`, async () => {
      const { cluster } = operator;
      await operator.start(adopting[act]);
      await cluster.client.patch(Site, home, 'merge', { metadata: { finalizers: ['orphan'] } });
      await cluster.clock.settle();
      const release = cluster.connection.holdWatches('/sites');
      await cluster.client.delete(Site, home);
      operator.writes();
      // As the garbage collector does.
      await cluster.client.patch(Secret, keysName, 'merge', { metadata: { ownerReferences: null } });
      await cluster.clock.advance(seconds(50));
      assert.deepEqual(operator.writes(), []);
      release();
    });
  }

  test('of an earlier resource of the same name is waited for, not an error', async () => {
    await operator.restart(content);
    const { apiVersion, kind } = Site;
    const owner = { apiVersion, kind, name: 'home', uid: 'dead', controller: true };
    const metadata = { ...pageName, ownerReferences: [owner], finalizers: ['vendor.example/hold'] };
    await operator.cluster.client.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
    await operator.cluster.client.create(Site, { apiVersion, kind, metadata: home, spec: {} });
    await operator.cluster.clock.advance(seconds(10));
    assert.deepEqual(await operator.conditions(), ['Ready False NotAllReady']);
    await operator.cluster.client.patch(ConfigMap, pageName, 'merge', { metadata: { finalizers: null } });
    await operator.cluster.client.delete(ConfigMap, pageName).catch(() => undefined);
    await operator.cluster.clock.advance(minutes(1));
    assert.equal((await operator.conditions())[0], 'ContentReady True Applied');
  });

  test('that outlives it has an annotation instead of an owner reference, enqueues it, and stays when it is deleted', async () => {
    let runs = 0;
    const keeping = step({
      name: 'Keeping',
      owns: [owned(Secret, ['create', 'adopt', 'remove'])],
      async run({ create, list }) {
        runs += 1;
        await create(keysWith('MQ=='), { retainOnDelete: true, adopt: true });
        return ready('Fine', String(list(Secret).length));
      },
    });
    await operator.start(keeping);
    const made = await secret();
    const { uid } = (await operator.site()).metadata;
    assert.deepEqual([made?.metadata.ownerReferences, made?.metadata.annotations?.[ownerAnnotation]], [undefined, uid]);
    const before = runs;
    await operator.cluster.client.patch(Secret, keysName, 'merge', { data: { more: 'MQ==' } });
    await operator.cluster.clock.settle();
    assert.equal(runs, before + 1);
    await operator.cluster.client.delete(Site, home);
    await operator.cluster.clock.advance(minutes(1));
    assert.equal((await secret())?.metadata.uid, made?.metadata.uid);

    const { apiVersion, kind } = Site;
    const again = await operator.cluster.client.create(Site, { apiVersion, kind, metadata: home, spec: {} });
    await operator.cluster.clock.settle();
    assert.equal((await secret())?.metadata.annotations?.[ownerAnnotation], again.metadata.uid);
    assert.equal((await secret())?.metadata.uid, made?.metadata.uid);
  });

  test('has one writer for each part, and none undoes the other', async () => {
    await operator.start(partWriter('value', 'value'), partWriter('clouds', 'clouds.yaml'));
    assert.deepEqual(Object.keys((await secret())?.data ?? {}).toSorted(), ['clouds.yaml', 'value']);
    operator.writes();
    await operator.cluster.clock.advance(minutes(20));
    assert.deepEqual(operator.writes(), []);
    await operator.patch({ text: 'no value' });
    assert.deepEqual(Object.keys((await secret())?.data ?? {}), ['clouds.yaml']);
    const managers = (await secret())?.metadata.managedFields?.map(({ manager }) => manager) ?? [];
    assert.deepEqual(managers.toSorted(), ['test-clouds', 'test-value']);
  });

  test('that two steps apply with different bodies in one pass is an error, and backs off', async () => {
    await operator.start(wholeWriter('First', 'a'), wholeWriter('Second', 'b'));
    assert.match(
      String(operator.errors()[0]),
      /steps First and Second apply different bodies of Secret keys in one pass: give each a part of its own in owns/,
    );
    operator.writes();
    await operator.cluster.clock.advance(minutes(2));
    assert.ok(operator.writes().length < 5);
  });

  test('is deleted only at the resource version that led to the decision', async () => {
    const rotating = step({
      name: 'Rotating',
      condition: 'Rotated',
      owns: [owned(Secret, ['create', 'remove'])],
      async run({ object, create, get, remove }) {
        const staged = get(Secret, keysName.name);
        if (staged === undefined) await create(keysWith('MQ=='));
        else if (object.spec.text === 'rotate' && staged.data?.['key'] === 'MQ==') await remove(Secret, staged);
        return ready('Fine', String(staged?.data?.['key']));
      },
    });
    await operator.start(rotating);
    operator.cluster.connection.intercept = async ({ method }) => {
      if (method !== 'DELETE') return;
      operator.cluster.connection.intercept = () => undefined;
      await operator.cluster.client.patch(Secret, keysName, 'merge', { data: { key: 'Mg==' } });
    };
    await operator.patch({ text: 'rotate' });
    await operator.cluster.clock.advance(seconds(5));
    assert.equal((await secret())?.data?.['key'], 'Mg==');
  });

  test('that the summary applies with another body than a step is an error', async () => {
    operator.controller = { summary: wholeWriter('Summary', 'b') };
    await operator.start(wholeWriter('First', 'a'));
    assert.match(String(operator.errors()[0]), /steps First and Summary apply different bodies of Secret keys/);
  });

  test('to whose field two parts give different values is an error, and backs off', async () => {
    await operator.start(valued('one', 'MQ=='), valued('two', 'Mg=='));
    assert.match(
      String(operator.errors()[0]),
      /steps one and two apply different values of data.value of Secret keys in one pass: a field belongs to one part/,
    );
    operator.writes();
    await operator.cluster.clock.advance(minutes(2));
    assert.ok(operator.writes().length < 5);
  });

  /** The Secret is not adopted, whichever way the step tries. */
  const assertRefused = async (holder: string) => {
    const before = await secret();
    await operator.start(taking);
    await operator.patch({ text: 'apply' });
    await operator.cluster.clock.advance(seconds(1));
    const [condition] = (await operator.site()).status?.conditions ?? [];
    assert.equal(condition?.message, `Secret keys was refused: it belongs to ${holder}: delete or rename it`);
    assert.deepEqual((await secret())?.metadata, before?.metadata);
  };

  describe('that belongs to another', () => {
    test('is not adopted from its controller', async () => {
      const metadata = { namespace: 'default', name: 'vendor' };
      const apiVersion = 'v1';
      const kind = 'ConfigMap';
      const { uid = '' } = (await operator.cluster.client.create(ConfigMap, { apiVersion, kind, metadata })).metadata;
      await createTheirs({ ownerReferences: [{ apiVersion, kind, name: 'vendor', uid, controller: true }] });
      await assertRefused('ConfigMap vendor');
    });

    test('is not adopted from an existing owner by annotation', async () => {
      const { apiVersion, kind } = Site;
      const metadata = { namespace: 'default', name: 'neighbour' };
      const { uid = '' } = (await operator.cluster.client.create(Site, { apiVersion, kind, metadata, spec: {} }))
        .metadata;
      await createTheirs({ annotations: { [ownerAnnotation]: uid } });
      await assertRefused('Site neighbour');
    });
  });
});
