// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { ConfigMap, CustomResourceDefinition, Secret } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import { kind, type ObjectOf } from '@forge/kube/kinds/kind.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { conditions } from '@forge/kube/schema/schema-types.ts';
import { refusal } from '@forge/testing/refusal.ts';
import { Type } from 'typebox';
import { manager } from '../../controller/manager.ts';
import { minutes, seconds } from '../../environment/duration.ts';
import { controllerReference } from '../../objects/owner-reference.ts';
import { ready } from '../../steps/outcome.ts';
import { owned } from '../../steps/owned.ts';
import { stepFor } from '../../steps/step.ts';
import { home, siteOperator, type SiteOperator } from '../../test/site-operator.ts';
import { content, keysName, keysWith, pageName, step } from '../../test/site-steps.ts';
import { noServices, Site, type Services } from '../../test/site.ts';
import { stepController } from '../step-controller.ts';

const labelled = (name: string, app: string): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, labels: { app } },
});

const keys = step({
  name: 'Keys',
  condition: 'KeysReady',
  owns: [owned(Secret, ['create', 'replace', 'remove'])],
  async run({ object, create, replace, remove, list }) {
    if (object.spec.text === 'replace') await replace(keysWith('Mg=='));
    else if (object.spec.text === 'remove') await remove(Secret, keysName.name);
    else if (object.spec.text === 'remove dependents first') {
      await remove(Secret, keysName.name, { propagation: 'Foreground' });
    } else await create(keysWith('MQ=='));
    return ready('Fine', `${list(Secret).length} Secrets`);
  },
});

describe('creating, replacing and removing an object in a step', () => {
  let operator: SiteOperator;

  beforeEach(async () => {
    operator = await siteOperator();
  });

  afterEach(async () => {
    await operator[Symbol.asyncDispose]();
  });

  const liveKey = async () => (await operator.cluster.client.find(Secret, keysName))?.data?.['key'];

  test('creates once and never touches the object again', async () => {
    await operator.start(keys);
    assert.deepEqual(operator.writes(), ['POST secrets', 'PUT sites/home/status']);
    await operator.cluster.client.patch(Secret, keysName, 'merge', { data: { key: 'Mw==' } });
    await operator.cluster.clock.advance(minutes(20));
    assert.deepEqual(operator.writes(), []);
    assert.equal(await liveKey(), 'Mw==');
  });

  test('replaces the whole object on the version it knows', async () => {
    await operator.start(keys);
    await operator.patch({ text: 'replace' });
    assert.equal(await liveKey(), 'Mg==');
  });

  test('does not replace an object that somebody else has changed', async () => {
    await operator.start(keys);
    operator.cluster.connection.intercept = async ({ method, path }) => {
      if (method !== 'PUT' || !path.endsWith('/secrets/keys')) return;
      operator.cluster.connection.intercept = () => undefined;
      await operator.cluster.client.patch(Secret, keysName, 'merge', { data: { key: 'Mw==' } });
    };
    await operator.patch({ text: 'replace' });
    await operator.cluster.clock.advance(seconds(1));
    assert.match(String(operator.errors()), /Secret keys: Conflict/);
    assert.equal(await liveKey(), 'Mg==');
  });

  test('does not delete a successor of the same name', async () => {
    await operator.start(keys);
    operator.cluster.connection.intercept = async ({ method }) => {
      if (method !== 'DELETE') return;
      operator.cluster.connection.intercept = () => undefined;
      await operator.cluster.client.delete(Secret, keysName);
      await operator.cluster.client.create(Secret, { ...keysWith('Mw=='), metadata: keysName });
    };
    await operator.patch({ text: 'remove' });
    await operator.cluster.clock.advance(seconds(1));
    assert.equal(await liveKey(), 'Mw==');
  });

  for (const [text, policy] of [
    ['remove', 'Background'],
    ['remove dependents first', 'Foreground'],
  ] as const) {
    test(`deletes once, with dependents, also what terminates slowly: ${policy}`, async () => {
      await operator.start(keys);
      await operator.cluster.client.patch(Secret, keysName, 'merge', {
        metadata: { finalizers: ['vendor.example/hold'] },
      });
      const policies: unknown[] = [];
      operator.cluster.connection.intercept = ({ method, body }) => {
        if (method === 'DELETE') policies.push((body as { propagationPolicy?: string }).propagationPolicy);
      };
      await operator.patch({ text });
      await operator.cluster.clock.advance(minutes(20));
      assert.deepEqual(policies, [policy]);
    });
  }

  test('may use the verbs of any entry of the kind in owns', async () => {
    const twice = { ...keys, owns: [owned(Secret, 'create'), owned(Secret, 'remove')] };
    await operator.start(twice);
    await operator.patch({ text: 'remove' });
    assert.deepEqual([operator.errors(), await liveKey()], [[], undefined]);
  });

  test('skips a replacement without changes, and removes what somebody added', async () => {
    await operator.start(keys);
    await operator.patch({ text: 'replace' });
    operator.writes();
    await operator.cluster.clock.advance(minutes(20));
    assert.deepEqual(operator.writes(), []);
    for (const added of [{ data: { theirs: 'Mw==' } }, { metadata: { labels: { theirs: 'x' } } }]) {
      await operator.cluster.client.patch(Secret, keysName, 'merge', added);
      await operator.cluster.clock.settle();
      assert.deepEqual(operator.writes(), ['PUT secrets/keys']);
    }
    const { data, metadata } = await operator.cluster.client.get(Secret, keysName);
    assert.deepEqual([data, metadata.labels], [{ key: 'Mg==' }, undefined]);
  });

  test('deletes only what is there', async () => {
    await operator.start(keys);
    operator.writes();
    await operator.patch({ text: 'remove' });
    await operator.cluster.clock.advance(minutes(20));
    assert.deepEqual(operator.writes(), ['DELETE secrets/keys', 'PUT sites/home/status']);
    assert.equal(await liveKey(), undefined);
  });

  test('sweeps its own objects of a kind and label, except those to keep', async () => {
    const sweeping = step({
      name: 'Sweeping',
      owns: [owned(Secret, ['create', 'remove'])],
      async run({ object, create, sweep }) {
        if (object.spec.text !== 'hello') await sweep(Secret, { keep: ['new'], labels: { app: 'web' } });
        else for (const name of ['old', 'older', 'new']) await create(labelled(name, 'web'));
        await create(labelled('elsewhere', 'db'));
        return ready('Fine', '');
      },
    });
    const metadata = { namespace: 'default', name: 'unowned', labels: { app: 'web' } };
    await operator.cluster.client.create(Secret, { apiVersion: 'v1', kind: 'Secret', metadata });
    await operator.start(sweeping);
    operator.writes();
    await operator.patch({ text: 'sweep' });
    await operator.cluster.clock.advance(minutes(20));
    const deletions = operator.writes().filter((request) => request.startsWith('DELETE'));
    assert.deepEqual(deletions.toSorted(), ['DELETE secrets/old', 'DELETE secrets/older']);
    const { items } = await operator.cluster.client.list(Secret, { namespace: 'default' });
    assert.deepEqual(items.map(({ metadata: { name } }) => name).toSorted(), ['elsewhere', 'new', 'unowned']);
  });

  test('reports in the condition that the server rejected a deletion', async () => {
    await operator.start(keys);
    operator.cluster.connection.intercept = ({ method }) => {
      if (method === 'DELETE') throw refusal(403, 'Forbidden', 'not before Monday');
    };
    await operator.patch({ text: 'remove' });
    const [condition] = (await operator.site()).status?.conditions ?? [];
    assert.deepEqual([condition?.status, condition?.reason], ['False', 'ApplyRejected']);
    assert.equal(condition?.message, 'Secret keys was refused: Forbidden');
  });

  test('sweeps also for a resource without a namespace', async () => {
    const { cluster } = operator;
    const status = Type.Object({ conditions: conditions() });
    const facts = { group: 'test.forge.c5c3.io', version: 'v1', kind: 'Zone', plural: 'zones', description: 'A zone.' };
    const Zone = kind({ ...facts, scope: 'Cluster', spec: Type.Object({ sweep: Type.Boolean() }), status });
    const sweeping = stepFor<ObjectOf<typeof Zone>, Services>()({
      name: 'Sweeping',
      owns: [owned(Secret, ['create', 'remove'])],
      async run({ object, create, sweep }) {
        if (object.spec.sweep) await sweep(Secret, { keep: [] });
        else await create({ ...keysWith('MQ=='), metadata: keysName });
        return ready('Fine', '');
      },
    });
    await cluster.client.create(CustomResourceDefinition, crdOf(Zone));
    const running = manager({ ...cluster, client: cluster.connection.client });
    const names = { name: 'zone-controller', fieldManager: 'test', metricPrefix: 'zone_operator' };
    running.add(stepController({ ...names, for: Zone, steps: [sweeping], services: noServices }));
    await running.start();
    const { apiVersion } = Zone;
    await cluster.client.create(Zone, { apiVersion, kind: 'Zone', metadata: { name: 'here' }, spec: { sweep: false } });
    await cluster.clock.settle();
    assert.equal(await liveKey(), 'MQ==');
    await cluster.client.patch(Zone, { name: 'here' }, 'merge', { spec: { sweep: true } });
    await cluster.clock.settle();
    assert.equal(await liveKey(), undefined);
    await running.stop();
  });

  for (const [verb, making, lost] of [
    ['applies', content, { kind: ConfigMap, ref: pageName }],
    ['creates', keys, { kind: Secret, ref: keysName }],
  ] as const) {
    test(`${verb} nothing again for a deleted resource, before the watch delivers that`, async () => {
      const { cluster } = operator;
      await operator.start(making);
      const release = cluster.connection.holdWatches('/sites');
      await cluster.client.delete(Site, home);
      operator.writes();
      await cluster.clock.advance(seconds(50));
      assert.deepEqual(operator.writes(), []);
      assert.deepEqual(
        cluster.logged.filter(({ level }) => level === 'error'),
        [],
      );

      const { apiVersion, kind: named } = Site;
      await cluster.client.create(Site, { apiVersion, kind: named, metadata: home, spec: {} });
      release();
      await cluster.clock.settle();
      const [owner] = (await cluster.client.get<KubeObject>(lost.kind, lost.ref)).metadata.ownerReferences ?? [];
      assert.equal(owner?.uid, (await operator.site()).metadata.uid);
    });
  }

  test('creates nothing again for a terminating resource, before the watch delivers that', async () => {
    const { cluster } = operator;
    await operator.start(content);
    await cluster.client.patch(Site, home, 'merge', { metadata: { finalizers: ['vendor.example/hold'] } });
    await cluster.clock.settle();
    const release = cluster.connection.holdWatches('/sites');
    await cluster.client.delete(Site, home);
    operator.writes();
    await cluster.client.delete(ConfigMap, pageName);
    await cluster.clock.advance(seconds(50));
    assert.deepEqual(operator.writes(), []);
    release();
  });

  test('creates deleted objects again for the current resource, before the watch delivers it', async () => {
    const { cluster } = operator;
    await operator.start(content);
    const release = cluster.connection.holdWatches('/sites');
    const owners: unknown[] = [];
    cluster.connection.intercept = ({ method, path, body }) => {
      const { ownerReferences } = (body as KubeObject | undefined)?.metadata ?? {};
      if (method === 'PATCH' && path.endsWith('/home-page')) owners.push(ownerReferences?.[0]?.uid);
    };
    await cluster.client.delete(Site, home);
    const { apiVersion, kind: named } = Site;
    await cluster.client.create(Site, { apiVersion, kind: named, metadata: home, spec: {} });
    await cluster.clock.advance(seconds(50));
    assert.deepEqual(owners, [(await operator.site()).metadata.uid]);
    release();
  });

  for (const [does, controller, said] of [
    ['is content with an object of its own', true, 'KeysReady True Fine'],
    ['takes over no object of somebody else', false, 'KeysReady False ApplyRejected'],
  ] as const) {
    test(`${does} that was created before the watch delivered it`, async () => {
      const { cluster } = operator;
      cluster.connection.intercept = async ({ method, path }) => {
        if (method !== 'POST' || !path.endsWith('/secrets')) return;
        cluster.connection.intercept = () => undefined;
        cluster.connection.holdWatches('/secrets');
        const ownerReferences = controller ? [controllerReference(await operator.site())] : [];
        await cluster.client.create(Secret, { ...keysWith('Mw=='), metadata: { ...keysName, ownerReferences } });
      };
      await operator.start(keys);
      assert.equal(await liveKey(), 'Mw==');
      assert.equal((await operator.conditions())[0], said);
    });
  }

  test('adopts or deletes nothing that the resource does not control', async () => {
    await operator.cluster.client.create(Secret, { ...keysWith('MA=='), metadata: keysName });
    await operator.start(keys);
    const [condition] = (await operator.site()).status?.conditions ?? [];
    const message = 'Secret keys was refused: it exists but is not controlled by Site home: delete or rename it';
    assert.deepEqual([condition?.reason, condition?.message], ['ApplyRejected', message]);
    operator.writes();
    await operator.patch({ text: 'remove' });
    assert.equal(await liveKey(), 'MA==');
    assert.deepEqual(operator.writes(), ['PUT sites/home/status']);
  });
});
