// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { ConfigMap } from '@forge/kube/kinds/builtin.ts';
import { minutes, seconds } from '../../environment/duration.ts';
import { deletionStepFor } from '../../steps/deletion-step.ts';
import { ready } from '../../steps/outcome.ts';
import { owned } from '../../steps/owned.ts';
import type { StepContext } from '../../steps/step-context.ts';
import { home, siteOperator, type SiteOperator } from '../../test/site-operator.ts';
import { pageName, step } from '../../test/site-steps.ts';
import { Site, type Services } from '../../test/site.ts';

type Context = StepContext<Site, Services, object>;

const selector = 'app=sites';

const page = ({ spec }: Site, labels: Record<string, string> = { app: 'sites' }): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: pageName.name, labels },
  data: { text: spec.text ?? '' },
});

const named = (object: Site, name: string, app: string): ConfigMap => ({
  ...page(object),
  metadata: { name, labels: { app } },
});

/** A step that owns ConfigMaps with the label and writes its page in this way. */
const writing = (write: (context: Context) => Promise<unknown>) =>
  step({
    name: 'Page',
    condition: 'Page',
    owns: [owned(ConfigMap, ['apply', 'create', 'replace', 'remove', 'transferFields'], { selector })],
    async run(context) {
      await write(context);
      return ready('Fine', context.list(ConfigMap).length.toString());
    },
  });

const applying = writing(({ object, apply }) => apply(page(object)));
const creating = writing(({ object, create }) => create(page(object)));
describe('a step that watches only labelled objects of a kind it owns', () => {
  let operator: SiteOperator;

  beforeEach(async () => {
    operator = await siteOperator();
  });

  afterEach(async () => {
    await operator[Symbol.asyncDispose]();
  });

  const live = () => operator.cluster.client.find(ConfigMap, pageName);
  const label = async (app: string | null) => {
    await operator.cluster.client.patch(ConfigMap, pageName, 'merge', { metadata: { labels: { app } } });
  };
  const requests = () => {
    const sent = operator.cluster.connection.requests.splice(0);
    return sent
      .filter((request) => !/WATCH|\/sites\//.test(request))
      .map((request) => request.replace(/\/api.*\//, ''));
  };

  for (const [verb, writes] of [
    ['applies', applying],
    ['creates', creating],
  ] as const) {
    test(`${verb} an object, and needs no request once it is settled`, async () => {
      await operator.start(writes);
      assert.equal((await live())?.data?.['text'], 'hello');
      operator.cluster.connection.requests.length = 0;
      await operator.cluster.clock.advance(minutes(30));
      assert.deepEqual(requests(), []);
      assert.deepEqual(await operator.conditions(), ['Page True Fine', 'Ready True AllReady']);
    });

    for (const [how, value] of [
      ['removes', null],
      ['changes', 'theirs'],
    ] as const) {
      test(`notices at once that somebody ${how} the label of what it ${verb}, and restores it`, async () => {
        await operator.start(writes);
        const before = await live();
        await label(value);
        await operator.cluster.clock.settle();
        const after = await live();
        assert.deepEqual([after?.metadata.uid, after?.metadata.labels], [before?.metadata.uid, { app: 'sites' }]);
        assert.deepEqual(operator.errors(), []);
        operator.cluster.connection.requests.length = 0;
        await operator.cluster.clock.advance(minutes(30));
        assert.deepEqual(requests(), []);
      });

      test(`restores a label that somebody ${how} while the operator is down: ${verb}`, async () => {
        await operator.start(writes);
        await operator.stop();
        await label(value);
        await operator.restart(writes);
        assert.equal((await live())?.metadata.labels?.['app'], 'sites');
        assert.deepEqual(operator.errors(), []);
      });
    }
  }

  test('restores the label also before the watch has shown that it is gone', async () => {
    await operator.start(applying);
    const release = operator.cluster.connection.holdWatches('/configmaps');
    await label('theirs');
    await operator.patch({ text: 'new' });
    release();
    await operator.cluster.clock.settle();
    const { data, metadata } = (await live()) ?? {};
    assert.deepEqual([data?.['text'], metadata?.labels], ['new', { app: 'sites' }]);
    assert.deepEqual(operator.errors(), []);
  });

  for (const [verb, writes] of [
    ['applies', applying],
    ['creates', creating],
  ] as const) {
    test(`takes over no object of somebody else that has no label: ${verb}`, async () => {
      const metadata = { ...pageName };
      await operator.cluster.client.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
      await operator.start(writes);
      const [condition] = (await operator.site()).status?.conditions ?? [];
      assert.equal(condition?.reason, 'ApplyRejected');
      assert.match(condition.message, /it exists but is not controlled by Site home/);
      const { data, metadata: after } = (await live()) ?? {};
      assert.deepEqual([data, after?.labels, after?.ownerReferences], [undefined, undefined, undefined]);
    });
  }

  test('replaces an object whose label somebody removed', async () => {
    const replacing = writing(({ object, create, replace }) =>
      object.spec.text === 'hello' ? create(page(object)) : replace(page(object)),
    );
    await operator.start(replacing);
    await operator.stop();
    await label(null);
    await operator.cluster.client.patch(Site, home, 'merge', { spec: { text: 'new' } });
    await operator.restart(replacing);
    const { data, metadata } = (await live()) ?? {};
    assert.deepEqual([data?.['text'], metadata?.labels], ['new', { app: 'sites' }]);
    assert.deepEqual(operator.errors(), []);
  });

  test('leaves a field to somebody else also on an object whose label is gone', async () => {
    await operator.start(applying);
    await operator.stop();
    await label(null);
    const { data: _, ...rest } = page(await operator.site());
    await operator.restart(writing(({ apply }) => apply(rest, { transferredFields: ['data.text'] })));
    const { data, metadata } = (await live()) ?? {};
    assert.deepEqual([data, metadata?.labels], [{ text: 'hello' }, { app: 'sites' }]);
  });

  test('reads its own writes, and not what it has removed', async () => {
    const counts: number[] = [];
    const counting = writing(async ({ object, apply, remove, list }) => {
      if (object.spec.text === 'remove') await remove(ConfigMap, pageName.name);
      else await apply(page(object));
      counts.push(list(ConfigMap).length);
    });
    const release = operator.cluster.connection.holdWatches('/configmaps');
    await operator.start(counting);
    await operator.patch({ text: 'remove' });
    release();
    await operator.cluster.clock.settle();
    assert.deepEqual([counts[0], counts.at(-1), await live()], [1, 0, undefined]);
  });

  test('sweeps what its own watch shows, and never what another step of the resource owns', async () => {
    const sweeping = writing(async ({ object, apply, sweep }) => {
      const name = `page-${object.spec.text}`;
      await apply(named(object, name, 'sites'));
      await sweep(ConfigMap, { keep: [name] });
    });
    const other = step({
      name: 'Other',
      condition: 'Other',
      owns: [owned(ConfigMap, 'apply', { selector: 'app=others' })],
      async run({ object, apply }) {
        await apply(named(object, 'other', 'others'));
        return ready('Fine', '');
      },
    });
    const uidOf = async (name: string) =>
      (await operator.cluster.client.find(ConfigMap, { ...pageName, name }))?.metadata.uid;
    await operator.start(other, sweeping);
    const before = await uidOf('other');
    assert.ok(before !== undefined && (await uidOf('page-hello')) !== undefined);
    await operator.patch({ text: 'new' });
    await operator.cluster.clock.settle();
    assert.deepEqual([await uidOf('page-hello'), await uidOf('other')], [undefined, before]);
    assert.notEqual(await uidOf('page-new'), undefined);
  });

  test('removes, in a deletion, also what has lost its label and would outlive the resource', async () => {
    const finalizer = 'test.forge.c5c3.io/page';
    const owns = [owned(ConfigMap, ['create', 'remove'], { selector })];
    const keeping = step({
      name: 'Page',
      owns,
      async run({ object, create }) {
        await create(page(object), { retainOnDelete: true });
        return ready('Fine', '');
      },
    });
    operator.deletion = [
      deletionStepFor<Site, Services>()({
        name: 'Removal',
        finalizer,
        owns,
        async run({ remove }) {
          await remove(ConfigMap, pageName.name);
          await remove(ConfigMap, 'theirs');
          return ready('Fine', '');
        },
      }),
    ];
    const theirs = { ...pageName, name: 'theirs' };
    await operator.cluster.client.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: theirs });
    await operator.start(keeping);
    const release = operator.cluster.connection.holdWatches('/configmaps');
    await label(null);
    await operator.stop();
    release();
    await operator.cluster.client.delete(Site, home);
    await operator.restart(keeping);
    await operator.cluster.clock.settle();
    assert.deepEqual([await operator.cluster.client.find(Site, home), await live()], [undefined, undefined]);
    assert.notEqual(await operator.cluster.client.find(ConfigMap, theirs), undefined);
    assert.deepEqual(operator.errors(), []);
  });

  test('creates nothing again for a deleted resource: a vanished object is one that was deleted', async () => {
    const { cluster } = operator;
    await operator.start(applying);
    const release = cluster.connection.holdWatches('/sites');
    await cluster.client.delete(Site, home);
    operator.writes();
    await cluster.clock.advance(seconds(50));
    assert.deepEqual(operator.writes(), []);
    release();
  });

  for (const [verb, write] of [
    ['apply', ({ object, apply }: Context) => apply(page(object, {}))],
    ['create', ({ object, create }: Context) => create(page(object, { app: 'others' }))],
    ['replace', ({ object, replace }: Context) => replace(page(object, {}))],
  ] as const) {
    test(`writes nothing that its own watch would not show: ${verb}`, async () => {
      await operator.start(writing(write));
      assert.match(
        String(operator.errors()[0]),
        /step Page writes ConfigMap home-page without the labels of its selector app=sites: it would not be watched/,
      );
      assert.equal(await live(), undefined);
    });
  }

  test('may not have two selectors for one kind', async () => {
    const twice = { ...applying, owns: [owned(ConfigMap, 'apply', { selector }), owned(ConfigMap, 'remove')] };
    await assert.rejects(operator.start(twice), /step Page owns ConfigMap with different selectors/);
  });
});
