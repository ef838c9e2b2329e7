// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { ConfigMap, CustomResourceDefinition, Namespace, Secret } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import type { KubeObject, ObjectRef } from '@forge/kube/objects/object.ts';
import { minutes } from '../environment/duration.ts';
import { Gateway } from '../test/gateway.ts';
import { home, siteOperator, type SiteOperator } from '../test/site-operator.ts';
import { step } from '../test/site-steps.ts';
import { Site, type Services } from '../test/site.ts';
import { ready } from './outcome.ts';
import { owned } from './owned.ts';
import { reads, readsAny, readsIndexed, readsLabelled, type Reads } from './reads.ts';
import type { StepContext } from './step-context.ts';

type Context = StepContext<Site, Services, object>;

const configMap = (name: string, labels: Record<string, string> = {}, namespace = 'default'): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace, name, labels },
});

/** A step whose condition shows what it reads. */
const showing = (read: Reads<Site, Services>, show: (context: Context) => string | Promise<string>) =>
  step({
    name: 'Show',
    condition: 'Shown',
    reads: [read],
    run: async (context) => ready('Seen', await show(context)),
  });

const hasData = ({ after }: { after: ConfigMap | undefined }) => after?.data !== undefined;

describe('a step reads', () => {
  let operator: SiteOperator;

  beforeEach(async () => {
    operator = await siteOperator();
    const metadata = { name: 'elsewhere' };
    await operator.cluster.client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata });
  });

  afterEach(async () => {
    await operator[Symbol.asyncDispose]();
  });

  const shown = async () => (await operator.site()).status?.conditions?.[0]?.message;

  const make = async (object: ConfigMap) => {
    await operator.cluster.client.create(ConfigMap, object);
    await operator.cluster.clock.settle();
  };

  test('an object of another namespace by its reference, and is enqueued by that one only', async () => {
    const there = { namespace: 'elsewhere', name: 'shared' };
    const read = reads<Site, Services, ConfigMap>(ConfigMap, () => [there]);
    let runs = 0;
    await operator.start(
      showing(read, ({ get }) => {
        runs += 1;
        return String(get(ConfigMap, there) !== undefined);
      }),
    );
    const before = runs;
    await make(configMap('shared'));
    assert.deepEqual([await shown(), runs], ['false', before]);
    await make(configMap('shared', {}, 'elsewhere'));
    assert.equal(await shown(), 'true');
  });

  test('a cluster-scoped object by its name', async () => {
    const read = reads<Site, Services, Namespace>(Namespace, () => ['later']);
    await operator.start(showing(read, ({ get }) => String(get(Namespace, 'later')?.metadata.name)));
    assert.equal(await shown(), 'undefined');
    await operator.cluster.client.create(Namespace, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'later' },
    });
    await operator.cluster.clock.settle();
    assert.equal(await shown(), 'later');
  });

  test('objects by all labels, in its own namespace, and is enqueued when one is created or no longer matches', async () => {
    const read = readsLabelled<Site, Services, ConfigMap>(ConfigMap, ({ metadata: { name } }) => ({
      app: name,
      part: 'page',
    }));
    const names = ({ select }: Context) =>
      select(read)
        .map(({ metadata }) => metadata.name)
        .join(' ');
    await operator.start(showing(read, names));
    const labels = { app: 'home', part: 'page' };
    await make(configMap('a', labels));
    await make(configMap('b', { app: 'home', part: 'other' }));
    await make(configMap('c', labels, 'elsewhere'));
    assert.equal(await shown(), 'a');
    const patch = { metadata: { labels: { part: 'other' } } };
    await operator.cluster.client.patch(ConfigMap, { namespace: 'default', name: 'a' }, 'merge', patch);
    await operator.cluster.clock.settle();
    assert.equal(await shown(), '');
  });

  test('objects by labels in any namespace', async () => {
    const read = readsLabelled<Site, Services, ConfigMap>(ConfigMap, () => ({ app: 'x' }), { namespace: 'any' });
    await operator.start(showing(read, ({ select }) => String(select(read).length)));
    await make(configMap('a', { app: 'x' }));
    await make(configMap('a', { app: 'x' }, 'elsewhere'));
    assert.equal(await shown(), '2');
  });

  test('objects by index', async () => {
    const read = readsIndexed<Site, Services, Site>(Site, {
      wanted: ({ spec }) => [spec.text ?? ''],
      valuesOf: ({ spec }) => [spec.text ?? ''],
    });
    await operator.start(showing(read, ({ select }) => String(select(read).length)));
    assert.equal(await shown(), '1');
    const { apiVersion, kind: named } = Site;
    const metadata = { namespace: 'elsewhere', name: 'twin' };
    await operator.cluster.client.create(Site, { apiVersion, kind: named, metadata, spec: { text: 'hello' } });
    await operator.cluster.clock.settle();
    assert.equal(await shown(), '2');
  });

  test('live, without a watch: one request each time', async () => {
    const read = reads<Site, Services, Secret>(Secret, () => ['token'], { live: true });
    const labelled = readsLabelled<Site, Services, Secret>(Secret, () => ({ app: 'x' }), { live: true });
    const live = step({
      name: 'Live',
      condition: 'Shown',
      reads: [read, labelled],
      async run({ fetch, fetchAll }) {
        const found = await fetch(Secret, 'token');
        return ready('Seen', `${found?.metadata.name} ${(await fetchAll(labelled)).length}`);
      },
    });
    const metadata = { namespace: 'default', name: 'token', labels: { app: 'x' } };
    await operator.cluster.client.create(Secret, { apiVersion: 'v1', kind: 'Secret', metadata });
    await operator.start(live);
    assert.equal(await shown(), 'token 1');
    assert.deepEqual(
      operator.cluster.connection.requests.filter(
        (request) => request.startsWith('WATCH') && request.includes('secrets'),
      ),
      [],
    );
  });

  test('live, any of the own namespace: one that only another object names', async () => {
    const any = readsAny<Site, Services, Secret>(Secret);
    const found = (place: string | ObjectRef) =>
      step({
        name: 'Any',
        condition: 'Shown',
        reads: [any],
        run: async ({ fetch }) => ready('Seen', (await fetch(Secret, place))?.metadata.name ?? 'none'),
      });
    for (const metadata of [
      { namespace: 'default', name: 'token' },
      { namespace: 'elsewhere', name: 'theirs' },
    ]) {
      await operator.cluster.client.create(Secret, { apiVersion: 'v1', kind: 'Secret', metadata });
    }
    await operator.start(found('token'));
    assert.equal(await shown(), 'token');
    assert.deepEqual(
      operator.cluster.connection.requests.filter(
        (request) => request.startsWith('WATCH') && request.includes('secrets'),
      ),
      [],
    );
    await operator.restart(found({ namespace: 'elsewhere', name: 'theirs' }));
    await operator.cluster.clock.settle();
    // A bug of the step: conditions stay as they are.
    assert.equal(await shown(), 'token');
  });

  test('is not enqueued by a change that the predicate of a read, or of what it owns, rejects', async () => {
    let runs = 0;
    const read = reads<Site, Services, ConfigMap>(ConfigMap, () => ['theirs'], { predicate: hasData });
    const careful = step({
      name: 'Careful',
      condition: 'Shown',
      reads: [read],
      owns: [owned(Secret, ['create'], { predicate: ({ after }) => after?.data !== undefined })],
      async run({ create }) {
        runs += 1;
        await create<Secret>({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'ours' } });
        return ready('Fine', '');
      },
    });
    await operator.start(careful);
    const before = runs;
    await make(configMap('theirs'));
    const ours = { namespace: 'default', name: 'ours' };
    await operator.cluster.client.patch(Secret, ours, 'merge', { metadata: { labels: { a: 'b' } } });
    await operator.cluster.clock.settle();
    assert.equal(runs, before);
    await operator.cluster.client.patch(Secret, ours, 'merge', { data: { a: 'Yg==' } });
    await operator.cluster.clock.settle();
    assert.equal(runs, before + 1);
    await operator.cluster.client.patch(ConfigMap, { namespace: 'default', name: 'theirs' }, 'merge', {
      data: { a: 'b' },
    });
    await operator.cluster.clock.settle();
    assert.equal(runs, before + 2);
  });

  test('only what it declares, or throws', async () => {
    const declared = readsLabelled<Site, Services, ConfigMap>(ConfigMap, () => ({ a: 'b' }));
    const undeclared = readsLabelled<Site, Services, ConfigMap>(ConfigMap, () => ({ a: 'b' }));
    await operator.start(showing(declared, ({ select }) => String(select(undeclared).length)));
    assert.match(String(operator.errors()[0]), /step Show lists ConfigMap by a read that is not in its reads/);
  });

  test('whether an optional kind is installed, and is enqueued when that changes', async () => {
    const read = reads<Site, Services, typeof Gateway extends { objectType?: infer R } ? NonNullable<R> : never>(
      Gateway,
      ({ metadata }) => [metadata.name],
    );
    await operator.start(showing(read, ({ isInstalled }) => String(isInstalled(Gateway))));
    assert.equal(await shown(), 'false');
    await operator.cluster.client.create(CustomResourceDefinition, crdOf(Gateway));
    await operator.cluster.clock.advance(minutes(1));
    assert.equal(await shown(), 'true');
    await operator.cluster.client.delete(CustomResourceDefinition, { name: 'gateways.gateway.example.com' });
    await operator.cluster.clock.advance(minutes(2));
    assert.equal(await shown(), 'false');
  });

  test('nothing of a kind that is not installed, and applying one is a condition until the kind is installed', async () => {
    const { apiVersion, kind: named } = Gateway;
    const routing = step({
      name: 'Routing',
      condition: 'Routed',
      owns: [Gateway],
      async run({ apply }) {
        await apply({ apiVersion, kind: named, metadata: { name: 'web' }, spec: {} });
        return ready('Fine', '');
      },
    });
    await operator.start(routing);
    const [condition] = (await operator.site()).status?.conditions ?? [];
    assert.deepEqual(
      [condition?.reason, condition?.message],
      [
        'KindNotInstalled',
        'Gateway web cannot be written: gateways.gateway.example.com is not installed in this cluster',
      ],
    );
    operator.writes();
    await operator.cluster.clock.advance(minutes(5));
    assert.deepEqual(operator.writes(), []);
    assert.deepEqual(operator.errors(), []);
    await operator.cluster.client.create(CustomResourceDefinition, crdOf(Gateway));
    await operator.cluster.clock.advance(minutes(1));
    assert.deepEqual(await operator.conditions(), ['Routed True Fine', 'Ready True AllReady']);
    assert.equal((await operator.cluster.client.get(Gateway, { ...home, name: 'web' })).metadata.name, 'web');
  });

  test('nothing live of a kind that is not installed, and cannot ask whether it is', async () => {
    const live = readsLabelled<Site, Services, KubeObject>(Gateway, () => ({ app: 'x' }), { live: true });
    await operator.start(showing(live, async ({ fetchAll }) => String((await fetchAll(live)).length)));
    assert.equal(await shown(), '0');
    await operator.restart(showing(live, ({ isInstalled }) => String(isInstalled(Gateway))));
    assert.match(
      String(operator.errors()[0]),
      /asks whether Gateway is installed, which is not in its owns or cached reads/,
    );
  });

  test('and removes objects of a kind that was uninstalled, before the watch delivers that', async () => {
    await operator.cluster.client.create(CustomResourceDefinition, crdOf(Gateway));
    const { apiVersion, kind } = Gateway;
    const routing = step({
      name: 'Routing',
      condition: 'Routed',
      owns: [owned(Gateway, ['apply', 'remove'])],
      async run({ object, apply, remove }) {
        if (object.spec.text === 'hello') await apply({ apiVersion, kind, metadata: { name: 'web' }, spec: {} });
        else await remove(Gateway, 'web');
        return ready(object.spec.text ?? '', '');
      },
    });
    await operator.start(routing);
    operator.cluster.connection.holdWatches('/gateways');
    await operator.cluster.client.delete(CustomResourceDefinition, { name: 'gateways.gateway.example.com' });
    await operator.patch({ text: 'none' });
    assert.equal((await operator.conditions())[0], 'Routed True none');
  });
});
