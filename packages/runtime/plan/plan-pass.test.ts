// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { ConfigMap, Secret } from '@forge/kube/kinds/builtin.ts';
import { manager } from '../controller/manager.ts';
import { stepController, type StepControllerOptions } from '../engine/step-controller.ts';
import { minutes } from '../environment/duration.ts';
import { deletionStepFor } from '../steps/deletion-step.ts';
import { tokens, modified } from '../steps/modified.ts';
import { degraded, ready, waiting } from '../steps/outcome.ts';
import { owned } from '../steps/owned.ts';
import { readsIndexed } from '../steps/reads.ts';
import { stepFor } from '../steps/step.ts';
import { home, siteOperator, type SiteOperator } from '../test/site-operator.ts';
import { content } from '../test/site-steps.ts';
import { noServices, Site, type Services } from '../test/site.ts';
import { planPass, type Plan } from './plan-pass.ts';
import { planText } from './plan-text.ts';

const step = stepFor<Site, Services>();

const page = step({
  name: 'Page',
  condition: 'PageReady',
  owns: [ConfigMap],
  async run({ object, apply }) {
    const data = { text: object.spec.text ?? '', ...(object.spec.secret === undefined && { extra: 'x' }) };
    await apply<ConfigMap>({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'page' }, data });
    return ready('Written', 'the page is written');
  },
});

const keys = step({
  name: 'Keys',
  condition: 'KeysReady',
  needs: { page },
  owns: [owned(Secret, ['create', 'remove'])],
  async run({ object, create, remove }) {
    if (object.spec.text === 'no keys') await remove(Secret, 'keys');
    else
      await create<Secret>({
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'keys' },
        data: { key: 'aHVudGVyMg==' },
      });
    return waiting('Wait', 'not everybody has the keys yet', minutes(1));
  },
});

const server = step({ name: 'Server', needs: { keys }, owns: [ConfigMap], run: async () => ready('Fine', '') });

const goodbye = deletionStepFor<Site, Services>()({
  name: 'Goodbye',
  finalizer: 'test.forge.c5c3.io/hold',
  run: async () => ready('Fine', ''),
});

const options: StepControllerOptions<Site, Services> = {
  name: 'site-controller',
  for: Site,
  steps: [page, keys, server],
  deletion: [goodbye],
  services: noServices,
  fieldManager: 'test',
  metricPrefix: 'site_operator',
};

/** The keys with this one in them. */
const keysOf = (key: string): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'keys' },
  data: { key },
});

describe('a plan', () => {
  let operator: SiteOperator;

  beforeEach(async () => {
    operator = await siteOperator();
  });

  afterEach(async () => {
    await operator[Symbol.asyncDispose]();
  });

  /** What another process would do now, which only plans. */
  async function plan(changes: Partial<StepControllerOptions<Site, Services>> = {}): Promise<Plan> {
    const used = { ...options, ...changes };
    const { cluster } = operator;
    const looking = manager(cluster);
    looking.add({ ...stepController(used), reconcile: async () => undefined });
    await looking.start();
    await cluster.clock.settle();
    const context = { ...cluster, cache: looking.cache, signal: new AbortController().signal };
    const planned = await planPass(used, await operator.site(), context);
    await looking.stop();
    return planned;
  }

  test('shows every write with its diff, the outcomes and the later steps, and writes nothing', async () => {
    await operator.start();
    const before = await operator.cluster.client.list(ConfigMap, { namespace: 'default' });
    const planned = await plan();
    assert.equal(
      (await operator.cluster.client.list(ConfigMap, { namespace: 'default' })).resourceVersion,
      before.resourceVersion,
    );
    const text = planText(planned);
    assert.match(
      text,
      /^change Site default\/home \(finalizers\)\n {2}\+ metadata.finalizers: \["test.forge.c5c3.io\/hold"\]\n/,
    );
    assert.match(text, /create ConfigMap default\/page \(Page\)\n[^]* {2}\+ data: \{"text":"hello","extra":"x"\}/);
    assert.match(text, /create Secret default\/keys \(Keys\)[^]*\+ data: \{"key":"\[redacted\]"\}/);
    assert.match(text, /change Site default\/home \(status\)\n {2}~ status.conditions: \[\{/);
    assert.match(text, /\nafter Keys: Server: ConfigMap$/);
    assert.doesNotMatch(text, /aHVudGVyMg/);
    assert.deepEqual(
      planned.outcomes.map(({ step: name, outcome, reason }) => `${name} ${outcome} ${reason}`),
      ['Page ready Written', 'Keys waiting Wait'],
    );
  });

  test('shows what would be changed, removed or deleted', async () => {
    operator.deletion = [goodbye];
    await operator.start(page, keys, server);
    await operator.stop();
    await operator.patch({ text: 'no keys', secret: 'x' });
    const text = planText(await plan());
    assert.match(text, /change ConfigMap default\/page \(Page\)\n {2}- data.extra\n {2}~ data.text: "no keys"\n/);
    assert.match(text, /delete Secret default\/keys \(Keys\)\n/);
  });

  test('of a settled resource is empty', async () => {
    operator.deletion = [goodbye];
    await operator.start(page, keys, server);
    assert.deepEqual((await plan()).writes, []);
    assert.match(planText(await plan()), /^nothing to write\nKeys waiting \(Wait\): not everybody has the keys yet\n/);
  });

  test('counts the conditions of deletion steps only for a terminating resource', async () => {
    const observed = {
      ...goodbye,
      condition: { type: 'Told', desired: 'True', countsForReady: true, measured: true } as const,
    };
    operator.deletion = [observed];
    await operator.start(page);
    assert.deepEqual((await plan({ steps: [page], deletion: [observed] })).writes, []);
  });

  test('of a terminating resource shows which finalizers are removed', async () => {
    operator.deletion = [goodbye];
    await operator.start(page);
    await operator.stop();
    await operator.cluster.client.delete(Site, home);
    const text = planText(await plan({ steps: [page] }));
    assert.equal(text, 'change Site default/home (finalizers)\n  ~ metadata.finalizers: []');
  });

  test('of a replacement shows what the step changes, and nothing that only the server writes', async () => {
    const replacing = step({
      name: 'Replacing',
      owns: [owned(Secret, ['create', 'replace'])],
      async run({ object, create, replace }) {
        const key = object.spec.text === 'hello' ? 'MQ==' : 'Mg==';
        const secret: Secret = { apiVersion: 'v1', kind: 'Secret', type: 'Opaque', metadata: { name: 'keys' } };
        await (object.spec.text === 'hello' ? create : replace)({ ...secret, data: { key } });
        return ready('Fine', '');
      },
    });
    await operator.start(replacing);
    await operator.stop();
    await operator.patch({ text: 'new' });
    const [write] = (await plan({ steps: [replacing], deletion: [] })).writes;
    assert.deepEqual(write?.diff, [{ op: 'replace', path: '/data/key', value: '[redacted]' }]);
  });

  test('of a field that is handed over does not remove it', async () => {
    const handing = step({
      name: 'Handing',
      owns: [owned(ConfigMap, ['apply', 'transferFields'])],
      async run({ object: { spec }, apply }) {
        const data = spec.text === 'hello' ? { text: spec.text } : { other: 'x' };
        const transferredFields = spec.text === 'hello' ? [] : ['data.text'];
        const metadata = { name: 'page' };
        await apply<ConfigMap>({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data }, { transferredFields });
        return ready('Fine', '');
      },
    });
    await operator.start(handing);
    await operator.stop();
    await operator.patch({ text: 'new' });
    const [write] = (await plan({ steps: [handing], deletion: [] })).writes;
    assert.deepEqual(write?.diff, [{ op: 'add', path: '/data/other', value: 'x' }]);
  });

  test('never calls outside systems: it shows what would be called, and what waits for that', async () => {
    let published = 0;
    const publish = async () => void (published += 1);
    const services: Services = { reading: { prefix: '' }, acting: { publish } };
    const acting = step({
      name: 'Acting',
      condition: 'Acted',
      async run({ object, act }) {
        await act(`publish ${object.metadata.name}`, (outside) => outside.publish('hello'));
        return ready('Fine', '');
      },
    });
    const later = step({ name: 'Later', needs: { acting }, owns: [ConfigMap], run: async () => ready('Fine', '') });
    operator.controller = { services };
    await operator.start(acting, later);
    const before = published;
    assert.ok(before > 0);
    const text = planText(await plan({ steps: [acting, later], deletion: [], services }));
    assert.equal(text, 'nothing to write\nwould call: publish home (Acting)\nafter Acting: Later: ConfigMap');
    assert.equal(published, before);
  });

  test('goes on where a step only wanted to log in, without knowing what it would have read, until it would change something', async () => {
    let calls = 0;
    const publish = async () => void (calls += 1);
    const services: Services = { reading: { prefix: '' }, acting: { publish } };
    const counting = step({
      name: 'Counting',
      condition: 'Counted',
      owns: [ConfigMap],
      modifies: [tokens],
      async run({ object, act, actUnlessPlanned, apply, requestToken }) {
        const login = await actUnlessPlanned('log in', async (outside) => {
          const { token } = await requestToken('default', { audiences: ['x'], validFor: minutes(10) });
          await outside.publish('a login');
          return token;
        });
        const data = { members: login === undefined ? 'unknown' : 'three' };
        await apply<ConfigMap>({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'members' }, data });
        if (object.spec.text === 'act') await act('remove a member', (outside) => outside.publish('a removal'));
        return degraded('Seen', `${data.members} members`);
      },
    });
    operator.controller = { services };
    await operator.start(counting);
    const live = await operator.cluster.client.get(ConfigMap, { namespace: 'default', name: 'members' });
    assert.deepEqual([live.data, calls > 0], [{ members: 'three' }, true]);
    await operator.stop();
    const before = calls;
    const planned = async () => planText(await plan({ steps: [counting], deletion: [], services }));
    const text = await planned();
    assert.match(text, /^change ConfigMap default\/members \(Counting\)\n {2}~ data.members: "unknown"$/m);
    assert.match(text, /^would call: log in \(Counting\); planned without its answer$/m);
    assert.match(text, /^Counting degraded \(Seen\): unknown members$/m);
    await operator.patch({ text: 'act' });
    const ended = await planned();
    assert.match(ended, /^would call: remove a member \(Counting\)$/m);
    assert.doesNotMatch(ended, /Counting degraded|request a token/);
    assert.equal(calls, before);
  });

  test('requests no token, and sends dry runs', async () => {
    const careful = step({
      name: 'Careful',
      modifies: [tokens, modified(Secret, 'dryRunCreate')],
      async run({ dryRunCreate: rehearse, requestToken }) {
        await rehearse({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'root' } });
        await requestToken('default', { audiences: ['x'], validFor: minutes(10) });
        return ready('Fine', '');
      },
    });
    await operator.start(content);
    operator.cluster.connection.requests.length = 0;
    const text = planText(await plan({ steps: [careful], deletion: [] }));
    assert.match(text, /^would call: request a token of ServiceAccount default \(Careful\)$/m);
  });

  test('explains why a step could not run', async () => {
    const broken = step({ name: 'Broken', run: () => Promise.reject(new Error('no network')) });
    await operator.start(broken);
    const text = planText(await plan({ steps: [broken], deletion: [] }));
    assert.equal(text, 'nothing to write\nBroken threw: Error: no network');
  });

  test('shows a call also where the step catches its error', async () => {
    const trying = step({
      name: 'Trying',
      async run({ act }) {
        await act('publish', (outside) => outside.publish('hello')).catch(() => undefined);
        return ready('Fine', '');
      },
    });
    await operator.start(content);
    const text = planText(await plan({ steps: [trying], deletion: [] }));
    assert.match(text, /^would call: publish \(Trying\)$/m);
  });

  test('shows that labels without which an object is not watched would be restored, and reads only what is watched', async () => {
    const labels = { app: 'sites' };
    const named = (name: string): ConfigMap => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels } });
    const narrowed = step({
      name: 'Narrowed',
      owns: [owned(ConfigMap, ['apply', 'create'], { selector: 'app=sites' })],
      async run({ apply, create, list }) {
        await apply(named('applied'));
        await create(named('created'));
        return degraded('Seen', `${list(ConfigMap).length}`);
      },
    });
    const unlabelled = step({
      name: 'Unlabelled',
      needs: { narrowed },
      owns: [ConfigMap],
      async run({ apply }) {
        await apply<ConfigMap>({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'other' } });
        return ready('Fine', '');
      },
    });
    const reader = { ...narrowed, name: 'Reader', after: [unlabelled] };
    await operator.start(narrowed);
    await operator.stop();
    for (const name of ['applied', 'created']) {
      await operator.cluster.client.patch(ConfigMap, { namespace: 'default', name }, 'merge', {
        metadata: { labels: null },
      });
    }
    const { writes, outcomes: said } = await plan({ steps: [narrowed, unlabelled, reader], deletion: [] });
    assert.deepEqual(
      writes
        .filter(({ kind }) => kind === 'ConfigMap')
        .map(({ verb, name, diff }) => [verb, name, diff.map(({ path }) => path)]),
      [
        ['change', 'applied', ['/metadata/labels']],
        ['change', 'created', ['/metadata/labels']],
        ['create', 'other', ['/apiVersion', '/kind', '/metadata']],
      ],
    );
    assert.deepEqual(
      said.map(({ step: name, message }) => `${name} ${message}`),
      ['Narrowed 2', 'Unlabelled ', 'Reader 2'],
    );
  });

  test('shows a read of a watched namespace nothing that is planned in another', async () => {
    const lookup = { wanted: () => ['page'], valuesOf: ({ metadata }: ConfigMap) => [metadata.name] };
    const anywhere = readsIndexed<Site, Services, ConfigMap>(ConfigMap, lookup);
    const elsewhere = readsIndexed<Site, Services, ConfigMap>(ConfigMap, lookup, { watchedNamespace: 'kube-system' });
    const reader = step({
      name: 'Reader',
      after: [page],
      reads: [anywhere, elsewhere],
      run: async ({ select }) => degraded('Seen', `${select(anywhere).length} ${select(elsewhere).length}`),
    });
    await operator.start();
    const { outcomes } = await plan({ steps: [page, reader], deletion: [] });
    assert.deepEqual(outcomes.at(-1)?.message, '1 0');
  });

  test('reads its own writes, as a pass does: what is deleted can be created again, and is found by others', async () => {
    const renewed = step({
      name: 'Renewed',
      owns: [owned(Secret, ['create', 'remove'])],
      async run({ object, create, remove }) {
        if (object.spec.text === 'renew') await remove(Secret, 'keys');
        await create(keysOf(object.spec.text === 'renew' ? 'Mg==' : 'MQ=='));
        return ready('Fine', '');
      },
    });
    const reader = step({
      name: 'Reader',
      needs: { renewed },
      owns: [Secret],
      async run({ get, list }) {
        return degraded('Seen', `${get(Secret, 'keys')?.data?.['key']} ${list(Secret).length}`);
      },
    });
    await operator.start(renewed);
    await operator.stop();
    await operator.patch({ text: 'renew' });
    const { writes, outcomes: said } = await plan({ steps: [renewed, reader], deletion: [] });
    assert.deepEqual(
      writes.filter(({ kind }) => kind === 'Secret').map(({ verb, name }) => `${verb} ${name}`),
      ['delete keys', 'create keys'],
    );
    assert.equal(said.at(-1)?.message, 'Mg== 1');
  });
});
