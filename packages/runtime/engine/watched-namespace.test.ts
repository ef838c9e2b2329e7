// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { ConfigMap, Secret } from '@forge/kube/kinds/builtin.ts';
import { refusal } from '@forge/testing/refusal.ts';
import { minutes } from '../environment/duration.ts';
import { ready } from '../steps/outcome.ts';
import { reads, readsLabelled, type Reads } from '../steps/reads.ts';
import { home, siteOperator, type SiteOperator } from '../test/site-operator.ts';
import { step } from '../test/site-steps.ts';
import { Site, type Services } from '../test/site.ts';

const place = { namespace: 'kube-system', name: 'gateway' };
const part = { part: 'gateway' };
const where = { watchedNamespace: place.namespace };

const configMap = (namespace: string, name: string, text: string): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace, name, labels: part },
  data: { text },
});

const texts = (found: readonly ConfigMap[]) => found.map(({ data }) => data?.['text']).join(' ');

const named = reads<Site, Services, ConfigMap>(ConfigMap, () => [place], where);
const labelled = readsLabelled<Site, Services, ConfigMap>(ConfigMap, () => part, where);
const narrowed = readsLabelled<Site, Services, ConfigMap>(ConfigMap, () => part, { ...where, selector: 'part' });

/** A step whose condition shows what it reads. */
const showing = (name: string, read: Reads<Site, Services, ConfigMap>) =>
  step({ name, condition: name, reads: [read], run: async ({ select }) => ready('Seen', texts(select(read))) });

describe('a read of a watched namespace', () => {
  let operator: SiteOperator;
  /** The lists and watches of ConfigMaps so far. */
  let asked: string[];

  beforeEach(async () => {
    operator = await siteOperator();
    asked = [];
    operator.cluster.connection.intercept = ({ path, method, query = {} }) => {
      if (path.endsWith('/configmaps') && method === 'GET') asked.push(`${path} ${query['labelSelector'] ?? 'all'}`);
    };
  });

  afterEach(async () => {
    await operator[Symbol.asyncDispose]();
  });

  const make = async (...objects: ConfigMap[]) => {
    for (const each of objects) await operator.cluster.client.create(ConfigMap, each);
    await operator.cluster.clock.settle();
  };

  const change = async (ref: { namespace: string; name: string }, text: string) => {
    await operator.cluster.client.patch(ConfigMap, ref, 'merge', { data: { text } });
    await operator.cluster.clock.settle();
  };

  const shown = async (type: string) =>
    (await operator.site()).status?.conditions?.find((each) => each.type === type)?.message;

  for (const namespaces of [undefined, ['default'], ['default', 'kube-public']]) {
    const works = namespaces?.join(' and ') ?? 'everywhere';

    test(`lists and watches only that namespace, with its selector, for an operator that works ${works}`, async () => {
      operator.options = namespaces === undefined ? {} : { namespaces };
      await make(configMap('default', 'gateway', 'near'), configMap(place.namespace, place.name, 'far'));
      await operator.start(showing('Named', named), showing('Narrowed', narrowed));
      assert.deepEqual(asked.toSorted(), [
        '/api/v1/namespaces/kube-system/configmaps all',
        '/api/v1/namespaces/kube-system/configmaps all',
        '/api/v1/namespaces/kube-system/configmaps part',
        '/api/v1/namespaces/kube-system/configmaps part',
      ]);
      assert.deepEqual([await shown('Named'), await shown('Narrowed')], ['far', 'far']);
      await change(place, 'moved');
      await make(configMap(place.namespace, 'second', 'next'));
      assert.deepEqual([await shown('Named'), await shown('Narrowed')], ['moved', 'moved next']);
    });
  }

  test('enqueues only the resources that look for the object', async () => {
    const passes: string[] = [];
    const picky = step({
      name: 'Picky',
      condition: 'Picky',
      reads: [reads(ConfigMap, ({ spec }) => (spec.text === 'hello' ? [place] : []), where)],
      async run({ object }) {
        passes.push(object.metadata.name);
        return ready('Seen', '');
      },
    });
    await operator.start(picky);
    const { apiVersion, kind } = Site;
    const metadata = { ...home, name: 'aside' };
    await operator.cluster.client.create(Site, { apiVersion, kind, metadata, spec: { text: 'bye' } });
    await operator.cluster.clock.settle();
    passes.length = 0;
    await make(configMap(place.namespace, place.name, 'a'), configMap(place.namespace, 'another', 'b'));
    assert.deepEqual(passes, ['home']);
  });

  test('is apart from a read of all namespaces, whichever is declared first', async () => {
    const anywhere = readsLabelled<Site, Services, ConfigMap>(ConfigMap, () => part, { namespace: 'any' });
    await make(configMap('default', 'gateway', 'near'), configMap(place.namespace, place.name, 'far'));
    await operator.start(showing('Labelled', labelled), showing('Anywhere', anywhere));
    assert.deepEqual([await shown('Labelled'), await shown('Anywhere')], ['far', 'near far']);
    await operator.restart(showing('Anywhere', anywhere), showing('Labelled', labelled));
    assert.deepEqual([await shown('Labelled'), await shown('Anywhere')], ['far', 'near far']);
  });

  test('by name is what get shows', async () => {
    await make(configMap(place.namespace, place.name, 'far'));
    const getting = step({
      name: 'Got',
      condition: 'Got',
      reads: [named],
      run: async ({ get }) => ready('Seen', get(ConfigMap, place)?.data?.['text'] ?? ''),
    });
    await operator.start(getting);
    assert.equal(await shown('Got'), 'far');
  });

  test('is requested in that namespace, too', async () => {
    operator.options = { namespaces: ['default'] };
    const live = step({
      name: 'Live',
      condition: 'Live',
      reads: [labelled],
      run: async ({ fetchAll }) => ready('Seen', texts(await fetchAll(labelled))),
    });
    await make(configMap('default', 'gateway', 'near'), configMap(place.namespace, place.name, 'far'));
    await operator.start(live);
    assert.equal(await shown('Live'), 'far');
    assert.deepEqual(asked.at(-1), '/api/v1/namespaces/kube-system/configmaps part=gateway');
  });

  test('of Secrets has the content of those that are read', async () => {
    const secrets = reads<Site, Services, Secret>(Secret, () => [place], where);
    const reading = step({
      name: 'Keys',
      condition: 'Keys',
      reads: [secrets],
      run: async ({ get }) => ready('Seen', get(Secret, place)?.data?.['key'] ?? ''),
    });
    for (const name of [place.name, 'other']) {
      const metadata = { ...place, name };
      await operator.cluster.client.create(Secret, {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata,
        data: { key: 'Yg==' },
      });
    }
    operator.options = { namespaces: ['default'] };
    await operator.start(reading);
    assert.equal(await shown('Keys'), 'Yg==');
    const unread = operator.cache().metadataOnly(Secret, {}, { namespace: place.namespace });
    assert.deepEqual(unread, [{ ...place, name: 'other' }]);
  });

  for (const namespaces of [undefined, ['default'], ['default', 'kube-public']]) {
    const works = namespaces?.join(' and ') ?? 'everywhere';

    test(`that the server refuses does not stop an operator that works ${works}, and is seen once allowed`, async () => {
      operator.options = namespaces === undefined ? {} : { namespaces };
      await make(configMap(place.namespace, place.name, 'far'));
      operator.cluster.connection.intercept = ({ path }) => {
        if (path.includes('/namespaces/kube-system/')) throw refusal(403, 'Forbidden', 'not here');
      };
      await operator.start(showing('Named', named));
      assert.equal(await shown('Named'), '');
      operator.cluster.connection.intercept = () => undefined;
      await operator.cluster.clock.advance(minutes(1));
      assert.equal(await shown('Named'), 'far');
    });
  }
});
