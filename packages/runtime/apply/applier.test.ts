// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { ConfigMap, Deployment, Secret } from '@forge/kube/kinds/builtin.ts';
import { refusal } from '@forge/testing/refusal.ts';
import { minutes, seconds } from '../environment/duration.ts';
import { ready } from '../steps/outcome.ts';
import { owned } from '../steps/owned.ts';
import { home, siteOperator, type SiteOperator } from '../test/site-operator.ts';
import { content, keysWith, page, pageName, step } from '../test/site-steps.ts';

describe('applying an object in a step', () => {
  let operator: SiteOperator;

  beforeEach(async () => {
    operator = await siteOperator();
  });

  afterEach(async () => {
    await operator[Symbol.asyncDispose]();
  });

  const livePage = () => operator.cluster.client.get(ConfigMap, pageName);

  test('applies it, controlled by the resource, and writes status once', async () => {
    await operator.start(content);
    assert.deepEqual(operator.writes(), ['PATCH configmaps/home-page', 'PUT sites/home/status']);
    const { metadata, data } = await livePage();
    assert.deepEqual(data, { text: 'hello' });
    assert.deepEqual(metadata.ownerReferences, [
      {
        apiVersion: 'test.forge.c5c3.io/v1',
        kind: 'Site',
        name: 'home',
        uid: (await operator.site()).metadata.uid,
        controller: true,
        blockOwnerDeletion: true,
      },
    ]);
    assert.deepEqual(await operator.conditions(), ['ContentReady True Applied', 'Ready True AllReady']);
  });

  test('costs no request when nothing changed, neither on a resync nor after a restart', async () => {
    await operator.start(content);
    operator.writes();
    await operator.cluster.clock.advance(minutes(30));
    assert.deepEqual(operator.writes(), []);
    await operator.restart(content);
    assert.deepEqual(operator.writes(), []);
  });

  test('reverts what others change or delete, and keeps what they add', async () => {
    await operator.start(content);
    await operator.cluster.client.patch(ConfigMap, pageName, 'merge', { data: { text: 'defaced' } });
    await operator.cluster.clock.settle();
    assert.deepEqual((await livePage()).data, { text: 'hello' });
    await operator.cluster.client.delete(ConfigMap, pageName);
    await operator.cluster.clock.settle();
    assert.deepEqual((await livePage()).data, { text: 'hello' });
    operator.writes();
    await operator.cluster.client.patch(ConfigMap, pageName, 'merge', { data: { theirs: 'x' } });
    await operator.cluster.clock.settle();
    assert.deepEqual((await livePage()).data, { text: 'hello', theirs: 'x' });
    assert.deepEqual(operator.writes(), []);
  });

  test('removes a field that is no longer desired', async () => {
    await operator.start(content);
    await operator.patch({ secret: 'x' });
    assert.deepEqual((await livePage()).data, { text: 'hello', secret: 'x' });
    await operator.patch({ secret: null });
    assert.deepEqual((await livePage()).data, { text: 'hello' });
  });

  test('removes a field that was dropped while the operator was down', async () => {
    await operator.start(content);
    await operator.stop();
    await operator.patch({ text: null, secret: 'x' });
    await operator.restart(content);
    assert.deepEqual((await livePage()).data, { secret: 'x' });
  });

  test('settles where the server normalises values', async () => {
    const deployment = step({
      name: 'Deployment',
      condition: 'DeploymentReady',
      owns: [Deployment],
      async run({ object, apply }) {
        const labels = { app: object.metadata.name };
        const container = {
          name: 'web',
          image: 'web:1',
          env: [{ name: 'POD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
          ports: [{ containerPort: 80 }],
        };
        await apply<Deployment>({
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          metadata: { name: object.metadata.name },
          spec: {
            selector: { matchLabels: labels },
            template: { metadata: { labels }, spec: { containers: [container] } },
          },
        });
        return ready('Applied', 'the Deployment is applied');
      },
    });
    await operator.start(deployment);
    operator.writes();
    await operator.cluster.client.patch(
      Deployment,
      home,
      'merge',
      { status: { replicas: 1 } },
      { subresource: 'status' },
    );
    await operator.cluster.clock.advance(minutes(30));
    assert.deepEqual(operator.writes(), []);
    await operator.cluster.client.patch(Deployment, home, 'merge', { metadata: { labels: { theirs: 'x' } } });
    await operator.cluster.clock.settle();
    assert.deepEqual(operator.writes(), []);
  });

  test('leaves a field to another manager, and takes it back, without a change of its value', async () => {
    const deployment = step({
      name: 'Deployment',
      condition: 'DeploymentReady',
      owns: [owned(Deployment, ['apply', 'transferFields'])],
      async run({ object, apply, get }) {
        const labels = { app: object.metadata.name };
        const containers = [{ name: 'web', image: 'web:1' }];
        const scaled = object.spec.text === 'scaled';
        const live = get(Deployment, object.metadata.name)?.spec?.replicas;
        await apply<Deployment>(
          {
            apiVersion: 'apps/v1',
            kind: 'Deployment',
            metadata: { name: object.metadata.name },
            spec: {
              ...(!scaled && { replicas: object.spec.text === 'kept' ? (live ?? 1) : 3 }),
              selector: { matchLabels: labels },
              template: { metadata: { labels }, spec: { containers } },
            },
          },
          scaled ? { transferredFields: ['spec.replicas'] } : {},
        );
        return ready('Applied', '');
      },
    });
    const replicas = async () => (await operator.cluster.client.get(Deployment, home)).spec?.replicas;
    const scale = async (count: number) => {
      await operator.cluster.client.patch(Deployment, home, 'merge', { spec: { replicas: count } });
      await operator.cluster.clock.settle();
    };
    await operator.start(deployment);
    assert.equal(await replicas(), 3);
    operator.writes();
    await operator.patch({ text: 'scaled' });
    assert.equal(await replicas(), 3);
    assert.deepEqual(operator.writes().slice(0, 2), ['PATCH deployments/home', 'PATCH deployments/home']);
    await scale(5);
    await operator.cluster.clock.advance(minutes(20));
    assert.equal(await replicas(), 5);
    assert.deepEqual(operator.writes(), []);
    await operator.patch({ text: 'kept' });
    assert.equal(await replicas(), 5);
    await operator.patch({ text: 'ours' });
    assert.equal(await replicas(), 3);
  });

  test('does not undo what another manager did just before the field was left to it', async () => {
    const handed = step({
      name: 'Handed',
      owns: [owned(ConfigMap, ['apply', 'transferFields'])],
      async run({ object, apply }) {
        const { text } = object.spec;
        await apply<ConfigMap>(
          {
            apiVersion: 'v1',
            kind: 'ConfigMap',
            metadata: { name: pageName.name },
            data: text === 'hello' ? { text } : { other: 'x' },
          },
          { transferredFields: text === 'hello' ? [] : ['data.text'] },
        );
        return ready('Applied', '');
      },
    });
    await operator.start(handed);
    operator.cluster.connection.intercept = async ({ query }) => {
      if (query?.['fieldManager'] !== 'test-handed-over') return;
      await operator.cluster.client.patch(ConfigMap, pageName, 'merge', { data: { text: 'theirs' } });
    };
    await operator.patch({ text: 'new' });
    assert.deepEqual((await livePage()).data, { text: 'theirs', other: 'x' });
  });

  test('keeps one field that is left to others when somebody has just set another', async () => {
    const handed = step({
      name: 'Handed',
      owns: [owned(ConfigMap, ['apply', 'transferFields'])],
      async run({ object, apply }) {
        const isOurs = object.spec.text === 'hello';
        const data = isOurs ? { a: '1', b: '1', other: '' } : { other: '' };
        await apply<ConfigMap>({ ...page(object), data }, { transferredFields: isOurs ? [] : ['data.a', 'data.b'] });
        return ready('Applied', '');
      },
    });
    await operator.start(handed);
    operator.cluster.connection.intercept = async ({ query }) => {
      if (query?.['fieldManager'] !== 'test-handed-over') return;
      operator.cluster.connection.intercept = () => undefined;
      await operator.cluster.client.patch(ConfigMap, pageName, 'merge', { data: { a: '2' } });
    };
    await operator.patch({ text: 'new' });
    await operator.cluster.clock.advance(seconds(1));
    assert.deepEqual((await livePage()).data, { a: '2', b: '1', other: '' });
  });

  test('keeps a field that was left to others, and not set by them, when another is left to them later', async () => {
    const handed = step({
      name: 'Handed',
      owns: [owned(ConfigMap, ['apply', 'transferFields'])],
      async run({ object: { spec, ...object }, apply }) {
        const kept = spec.text?.split(' ') ?? [];
        const data = Object.fromEntries(kept.map((key) => [key, '1']));
        const transferredFields = ['a', 'b'].filter((key) => !kept.includes(key)).map((key) => `data.${key}`);
        await apply<ConfigMap>({ ...page({ ...object, spec }), data }, { transferredFields });
        return ready('Applied', '');
      },
    });
    await operator.start(handed);
    for (const text of ['a b c', 'b c', 'c']) await operator.patch({ text });
    const { data } = await livePage();
    assert.deepEqual(data, { a: '1', b: '1', c: '1' });
  });

  test('leaves a field to another manager whose name has dots', async () => {
    const handed = step({
      name: 'Handed',
      owns: [owned(ConfigMap, ['apply', 'transferFields'])],
      async run({ object, apply }) {
        const { text } = object.spec;
        const data = text === 'hello' ? { 'tls.crt': 'x', other: '' } : { other: '' };
        await apply<ConfigMap>(
          { ...page(object), data },
          { transferredFields: text === 'hello' ? [] : ['data.tls.crt'] },
        );
        return ready('Applied', '');
      },
    });
    await operator.start(handed);
    await operator.patch({ text: 'new' });
    assert.deepEqual((await livePage()).data, { 'tls.crt': 'x', other: '' });
  });

  test('reports a rejected write in the condition, and retries', async () => {
    const bad = step({
      name: 'Bad',
      condition: 'BadReady',
      owns: [ConfigMap],
      async run({ apply }) {
        await apply<ConfigMap>({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'Not A Name' } });
        return ready('Applied', '');
      },
    });
    await operator.start(bad);
    const [condition] = (await operator.site()).status?.conditions ?? [];
    assert.deepEqual([condition?.status, condition?.reason], ['False', 'ApplyRejected']);
    assert.match(condition?.message ?? '', /^ConfigMap Not A Name was refused: .*Invalid value/);
    operator.writes();
    await operator.cluster.clock.advance(seconds(5));
    const tries = operator.writes();
    assert.ok(tries.length > 3 && tries.every((request) => request.startsWith('PATCH configmaps')), String(tries));
  });

  for (const [code, reason] of [
    [403, 'Forbidden'],
    [413, 'RequestEntityTooLarge'],
  ] as const) {
    test(`reports in the condition that a write was rejected as ${reason}`, async () => {
      operator.cluster.connection.intercept = ({ path }) => {
        if (path.endsWith('/configmaps/home-page')) throw refusal(code, reason, 'no');
      };
      await operator.start(content);
      const [condition] = (await operator.site()).status?.conditions ?? [];
      assert.deepEqual(
        [condition?.reason, condition?.message],
        ['ApplyRejected', 'ConfigMap home-page was refused: no'],
      );
    });
  }

  test('throws when a step writes or reads what it does not declare', async () => {
    const careless = step({
      name: 'Careless',
      owns: [Secret],
      async run({ object, apply, create, get, list, remove, replace }) {
        const text = object.spec.text;
        if (text === 'create') await create(keysWith('MQ=='));
        if (text === 'replace') await replace(keysWith('MQ=='));
        if (text === 'remove') await remove(Secret, 'keys');
        if (text === 'apply') await apply(page(object));
        if (text === 'get') get(ConfigMap, 'other');
        if (text === 'list') list(ConfigMap);
        if (text === 'away') await apply({ ...keysWith('MQ=='), metadata: { name: 'keys', namespace: 'elsewhere' } });
        return ready('Fine', '');
      },
    });
    await operator.start(careless);
    for (const [text, message] of [
      ['create', 'step Careless may not create a Secret: declare it in owns, with owned(Secret, …)'],
      ['replace', 'step Careless may not replace a Secret: declare it in owns, with owned(Secret, …)'],
      ['remove', 'step Careless may not remove a Secret: declare it in owns, with owned(Secret, …)'],
      ['apply', 'step Careless may not apply a ConfigMap: declare it in owns, with owned(ConfigMap, …)'],
      ['get', 'step Careless reads ConfigMap other, which is not in its owns or reads'],
      ['list', 'step Careless lists ConfigMap, which is not in its owns'],
      ['away', 'Site home in default cannot own Secret keys in elsewhere: the garbage collector would delete it'],
    ] as const) {
      operator.cluster.logged.length = 0;
      await operator.patch({ text });
      assert.equal(operator.errors()[0]?.message, `step Careless threw: ${message}`);
    }
  });
});
