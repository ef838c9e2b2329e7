// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { refusal } from '@forge/testing/refusal.ts';
import { ContentNotCached } from '../cache/content-not-cached.ts';
import { minutes } from '../environment/duration.ts';
import { ready } from '../steps/outcome.ts';
import { owned } from '../steps/owned.ts';
import { reads, readsIndexed, readsLabelled } from '../steps/reads.ts';
import type { StepContext } from '../steps/step-context.ts';
import { home, siteOperator, type SiteOperator } from '../test/site-operator.ts';
import { step } from '../test/site-steps.ts';
import { Site, type Services } from '../test/site.ts';

type Context = StepContext<Site, Services, object>;

const secret = (name: string, value: string, labels: Record<string, string> = {}): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { namespace: 'default', name, labels },
  data: { value: btoa(value) },
});

const valueOf = ({ data }: Secret): string => atob(data?.['value'] ?? '');

const wasA = ({ before }: { before: Secret | undefined }) => before !== undefined && valueOf(before) === 'a';

const plainly = { name: 'Plain', condition: 'Shown' };

/** Shows the value of the Secret that the Site names. */
const named = step({
  name: 'Named',
  condition: 'Shown',
  reads: [reads(Secret, ({ spec }: Site) => (spec.secret === undefined ? [] : [spec.secret]))],
  run: async ({ object, get }) => {
    const found = object.spec.secret === undefined ? undefined : get(Secret, object.spec.secret);
    return ready('Shown', found === undefined ? 'nothing' : valueOf(found));
  },
});

describe('the content of Secrets', () => {
  let operator: SiteOperator;

  beforeEach(async () => {
    operator = await siteOperator();
  });

  afterEach(() => operator[Symbol.asyncDispose]());

  const shown = async () => (await operator.site()).status?.conditions?.[0]?.message;
  const make = (...secrets: Secret[]) =>
    Promise.all(secrets.map((each) => operator.cluster.client.create(Secret, each))).then(() =>
      operator.cluster.clock.settle(),
    );
  /** The single Secrets asked for since the last call. */
  const fetched = () =>
    operator.cluster.connection.requests
      .splice(0)
      .flatMap((request) => /^GET .*\/secrets\/(.+)/.exec(request)?.[1] ?? []);
  const notHeld = () =>
    operator
      .cache()
      .metadataOnly(Secret, { namespace: 'default' })
      .map(({ name }) => name);

  test('is cached only of those that a resource references, each fetched once if it existed before', async () => {
    await make(secret('token', 'a'), secret('other', 'b'));
    await operator.start(named);
    assert.deepEqual(notHeld(), ['other', 'token']);
    assert.throws(() => operator.cache().get(Secret, { namespace: 'default', name: 'token' }), ContentNotCached);
    assert.throws(() => operator.cache().list(Secret, { namespace: 'default' }), ContentNotCached);
    assert.deepEqual(fetched(), []);

    await operator.patch({ secret: 'token' });
    assert.equal(await shown(), 'a');
    assert.deepEqual(notHeld(), ['other']);
    assert.deepEqual(fetched(), ['token']);

    await operator.cluster.clock.advance(minutes(60));
    await operator.patch({ text: 'changed' });
    assert.deepEqual(fetched(), []);
  });

  test('is watched without requests while it is read, and dropped when it no longer is', async () => {
    await operator.start(named);
    await operator.patch({ secret: 'token' });
    await make(secret('token', 'a'));
    assert.equal(await shown(), 'a');
    const change = { data: { value: btoa('b') } };
    await operator.cluster.client.patch(Secret, { namespace: 'default', name: 'token' }, 'merge', change);
    await operator.cluster.clock.settle();
    assert.equal(await shown(), 'b');
    assert.deepEqual(fetched(), []);
    assert.deepEqual(notHeld(), []);

    await operator.patch({ secret: 'another' });
    assert.deepEqual(notHeld(), ['token']);
    await operator.patch({ secret: 'token' });
    assert.equal(await shown(), 'b');
    await operator.cluster.client.delete(Site, home);
    await operator.cluster.clock.settle();
    assert.deepEqual(notHeld(), ['token']);
  });

  test('costs no request at a restart', async () => {
    await make(secret('token', 'a'), secret('other', 'b'));
    await operator.start(named);
    await operator.patch({ secret: 'token' });
    operator.cluster.connection.requests.length = 0;
    await operator.restart(named);
    assert.deepEqual(fetched(), []);
    assert.deepEqual(notHeld(), ['other']);
    assert.equal(await shown(), 'a');
  });

  test('enqueues its readers, whatever a predicate makes of a metadata-only state', async () => {
    const read = reads<Site, Services, Secret>(Secret, ({ spec }) => [spec.secret ?? '-'], { predicate: wasA });
    await make(secret('token', 'a'));
    const show = async ({ get }: Context) => ready('Shown', valueOf(get(Secret, 'token') ?? secret('', '')));
    await operator.start(step({ ...plainly, reads: [read], run: show }));
    operator.cluster.connection.intercept = ({ method, path }) => {
      if (method === 'GET' && path.endsWith('/token')) throw refusal(503, 'ServiceUnavailable', 'not now');
    };
    await operator.patch({ secret: 'token' });
    assert.notEqual(await shown(), 'a');
    await operator.cluster.client.patch(Secret, { namespace: 'default', name: 'token' }, 'merge', {
      data: { value: btoa('b') },
    });
    await operator.cluster.clock.settle();
    assert.equal(await shown(), 'b');
  });

  test('is cached of those that a step creates, and of one that somebody else created under that name', async () => {
    await make(secret('theirs', 'x'));
    const both = step({
      name: 'Both',
      condition: 'Shown',
      owns: [owned(Secret, 'create')],
      run: async ({ get, create }) => {
        await create(secret('ours', 'y'));
        const values = ['ours', 'theirs'].map((name) => get(Secret, name)).map((each) => each && valueOf(each));
        return ready('Shown', values.join());
      },
    });
    await operator.start(both);
    assert.equal(await shown(), 'y,x');
    assert.deepEqual(fetched(), ['theirs']);
    await operator.cluster.clock.advance(minutes(60));
    assert.deepEqual(fetched(), []);
    await operator.restart(both);
    assert.deepEqual(fetched(), ['theirs']);
    assert.deepEqual(operator.errors(), []);
  });

  test('is cached of those that are found by labels and by index', async () => {
    const labelled = readsLabelled<Site, Services, Secret>(Secret, ({ spec }) => ({ app: spec.text ?? '' }));
    const saying = readsIndexed<Site, Services, Secret>(Secret, {
      wanted: ({ spec }) => [spec.text ?? ''],
      valuesOf: (each) => [valueOf(each)],
    });
    const show = async ({ select }: Context, read: typeof labelled) => ready('Shown', select(read).map(valueOf).join());
    await make(secret('a', '1', { app: 'hello' }), secret('b', '2', { app: 'hello' }), secret('c', 'hello'));
    await operator.start(step({ ...plainly, reads: [labelled], run: (context) => show(context, labelled) }));
    assert.equal(await shown(), '1,2');
    assert.deepEqual([notHeld(), fetched()], [['c'], ['a', 'b']]);
    await operator.restart(step({ ...plainly, reads: [saying], run: (context) => show(context, saying) }));
    assert.equal(await shown(), 'hello');
    assert.deepEqual([notHeld(), fetched()], [[], []]);
  });
});
