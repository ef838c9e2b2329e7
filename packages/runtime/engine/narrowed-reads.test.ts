// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { ConfigMap, Namespace, Secret } from '@forge/kube/kinds/builtin.ts';
import { minutes } from '../environment/duration.ts';
import { ready } from '../steps/outcome.ts';
import { reads, readsIndexed, readsLabelled, type Reads } from '../steps/reads.ts';
import { siteOperator, type SiteOperator } from '../test/site-operator.ts';
import { step } from '../test/site-steps.ts';
import type { Services, Site } from '../test/site.ts';

type Read = Reads<Site, Services, ConfigMap>;

const ours = { app: 'sites', site: 'home' };
const labels = () => ({ site: 'home' });

const configMap = (name: string, labelled: Record<string, string> = ours, namespace = 'default'): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace, name, labels: labelled },
});

/** A step whose condition shows the names that it reads. */
const showing = (name: string, read: Read) =>
  step({
    name,
    condition: name,
    reads: [read],
    run: async ({ select }) =>
      ready(
        'Seen',
        select(read)
          .map(({ metadata }) => metadata.name)
          .join(' '),
      ),
  });

describe('a read with a selector', () => {
  let operator: SiteOperator;
  /** The label selectors of the lists and watches of ConfigMaps so far. */
  let asked: string[];

  beforeEach(async () => {
    operator = await siteOperator();
    asked = [];
    operator.cluster.connection.intercept = ({ path, method, query = {} }) => {
      if (path.endsWith('/configmaps') && method === 'GET') asked.push(query['labelSelector'] ?? 'all');
    };
  });

  afterEach(async () => {
    await operator[Symbol.asyncDispose]();
  });

  const make = async (...objects: ConfigMap[]) => {
    for (const each of objects) await operator.cluster.client.create(ConfigMap, each);
    await operator.cluster.clock.settle();
  };

  const label = async (name: string, changed: Record<string, string | null>) => {
    const patch = { metadata: { labels: changed } };
    await operator.cluster.client.patch(ConfigMap, { namespace: 'default', name }, 'merge', patch);
    await operator.cluster.clock.settle();
  };

  const shown = async (type: string) =>
    (await operator.site()).status?.conditions?.find((each) => each.type === type)?.message;

  const allShown = async () => [await shown('Narrowed'), await shown('Other'), await shown('Whole')];

  const narrowed = readsLabelled<Site, Services, ConfigMap>(ConfigMap, labels, { selector: 'app=sites' });
  const whole = readsLabelled<Site, Services, ConfigMap>(ConfigMap, labels);

  test('is sent with list and watch, so that nothing else is cached', async () => {
    await make(configMap('a'), configMap('of-another-app', { site: 'home' }));
    await operator.start(showing('Narrowed', narrowed));
    assert.deepEqual(asked, ['app=sites', 'app=sites']);
    assert.equal(await shown('Narrowed'), 'a');
    assert.deepEqual(
      operator
        .cache()
        .list(ConfigMap)
        .map(({ metadata }) => metadata.name),
      ['a'],
    );
  });

  test('loses an object whose label is removed, and gets one that is labelled; both enqueue the resource', async () => {
    await make(configMap('a'), configMap('b', { site: 'home' }));
    await operator.start(showing('Narrowed', narrowed));
    await label('a', { app: null });
    assert.equal(await shown('Narrowed'), '');
    await label('b', { app: 'sites' });
    assert.equal(await shown('Narrowed'), 'b');
  });

  test('has a watch of its own beside other selectors and beside none, and sees only its own objects', async () => {
    const other = readsLabelled<Site, Services, ConfigMap>(ConfigMap, labels, { selector: 'app in (shops, pubs)' });
    await make(configMap('a'), configMap('b', { ...ours, app: 'shops' }), configMap('c', { site: 'home' }));
    await operator.start(showing('Narrowed', narrowed), showing('Other', other), showing('Whole', whole));
    assert.deepEqual(new Set(asked), new Set(['app=sites', 'app in (shops, pubs)', 'all']));
    assert.deepEqual(await allShown(), ['a', 'b', 'a b c']);
    await label('a', { app: 'pubs' });
    assert.deepEqual(await allShown(), ['', 'a b', 'a b c']);
  });

  test('with the same selector shares the watch', async () => {
    const twin = readsIndexed<Site, Services, ConfigMap>(
      ConfigMap,
      { wanted: () => ['a'], valuesOf: ({ metadata }) => [metadata.name] },
      { selector: 'app=sites' },
    );
    await make(configMap('a'), configMap('b'));
    await operator.start(showing('Narrowed', narrowed), showing('Twin', twin));
    assert.deepEqual(asked, ['app=sites', 'app=sites']);
    assert.deepEqual([await shown('Narrowed'), await shown('Twin')], ['a b', 'a']);
  });

  test('by name does not find an object without the labels, unless another read of the step names it', async () => {
    const named = reads<Site, Services, ConfigMap>(ConfigMap, () => ['a', 'b'], { selector: 'app=sites' });
    const plain = reads<Site, Services, ConfigMap>(ConfigMap, () => ['c']);
    const naming = step({
      name: 'Named',
      condition: 'Named',
      reads: [named, plain],
      run: async ({ get }) => ready('Seen', ['a', 'b', 'c'].filter((name) => get(ConfigMap, name)).join(' ')),
    });
    await make(configMap('a'), configMap('b', {}), configMap('c', {}));
    await operator.start(naming);
    assert.equal(await shown('Named'), 'a c');
  });

  test('is added to the labels of a request', async () => {
    const live = step({
      name: 'Live',
      condition: 'Live',
      reads: [narrowed],
      run: async ({ fetchAll }) => ready('Seen', String((await fetchAll(narrowed)).length)),
    });
    await make(configMap('a'), configMap('of-another-app', { site: 'home' }));
    await operator.start(live);
    assert.equal(await shown('Live'), '1');
    assert.ok(asked.includes('site=home,app=sites'));
  });

  test('and the declared labels stay in force, whatever labels the request adds', async () => {
    const live = step({
      name: 'Live',
      condition: 'Live',
      reads: [narrowed],
      async run({ fetchAll }) {
        const found = await fetchAll(narrowed, { labels: { site: 'another', tier: 'front' } });
        return ready('Seen', found.map(({ metadata }) => metadata.name).join(' '));
      },
    });
    await make(
      configMap('a', { ...ours, tier: 'front' }),
      configMap('b'),
      configMap('c', { ...ours, site: 'another', tier: 'front' }),
    );
    await operator.start(live);
    assert.equal(await shown('Live'), 'a');
  });

  test('works in each of several namespaces', async () => {
    const metadata = { name: 'elsewhere' };
    await operator.cluster.client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata });
    const anywhere = readsLabelled<Site, Services, ConfigMap>(ConfigMap, labels, {
      namespace: 'any',
      selector: 'app=sites',
    });
    operator.options = { namespaces: ['default', 'elsewhere'] };
    await make(configMap('a'), configMap('b', ours, 'elsewhere'), configMap('c', ours, 'kube-system'));
    await operator.start(showing('Anywhere', anywhere));
    assert.equal(await shown('Anywhere'), 'a b');
    assert.deepEqual(asked, ['app=sites', 'app=sites', 'app=sites', 'app=sites']);
  });

  test('of Secrets caches the content of those that are read', async () => {
    const secrets = readsLabelled<Site, Services, Secret>(Secret, labels, { selector: 'app=sites' });
    const reading = step({
      name: 'Keys',
      condition: 'Keys',
      reads: [secrets, readsLabelled(Secret, labels, { selector: 'app=shops' })],
      run: async ({ select }) =>
        ready(
          'Seen',
          select(secrets)
            .flatMap(({ data = {} }) => Object.values(data))
            .join(),
        ),
    });
    for (const [name, labelled] of Object.entries({ a: ours, b: { app: 'sites' }, c: { site: 'home' } })) {
      const metadata = { namespace: 'default', name, labels: labelled };
      await operator.cluster.client.create(Secret, { apiVersion: 'v1', kind: 'Secret', metadata, data: { a: 'Yg==' } });
    }
    await operator.start(reading);
    assert.equal(await shown('Keys'), 'Yg==');
    const scope = { labels: 'app=sites' };
    assert.deepEqual(
      operator
        .cache()
        .metadataOnly(Secret, {}, scope)
        .map(({ name }) => name),
      ['b'],
    );
    operator.cluster.connection.requests.length = 0;
    await operator.cluster.clock.advance(minutes(20));
    assert.deepEqual(
      operator.cluster.connection.requests.filter((request) => request.startsWith('GET')),
      [],
    );
  });

  test('is refused when it is malformed', () => {
    assert.throws(() => reads(ConfigMap, () => [], { selector: 'app in sites' }), SyntaxError);
  });
});
