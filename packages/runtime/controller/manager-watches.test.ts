// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { ConfigMap, CustomResourceDefinition, Secret } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { refusal } from '@forge/testing/refusal.ts';
import { type TestCluster } from '@forge/testing/test-cluster.ts';
import { minutes, seconds } from '../environment/duration.ts';
import { controllerReference } from '../objects/owner-reference.ts';
import { configMap, configMapOperator, type ConfigMapOperator } from '../test/config-map-operator.ts';
import { Site } from '../test/site.ts';
import { watch } from './controller.ts';

const hue = (object: KubeObject | undefined) => object?.metadata.labels?.['hue'];

describe('the watches of a manager', () => {
  let operator: ConfigMapOperator;
  let cluster: TestCluster;
  let reconciled: string[];

  beforeEach(async () => {
    operator = await configMapOperator();
    ({ cluster, reconciled } = operator);
  });

  afterEach(async () => {
    await operator[Symbol.asyncDispose]();
  });

  test('enqueues the owner of an owned object, but not a namesake of another kind or group', async () => {
    const owner = await cluster.client.create(ConfigMap, configMap('owner'));
    await operator.run({ owns: [Secret] });
    reconciled.length = 0;
    const reference = controllerReference(owner);
    for (const [name, ownerReferences] of [
      ['owned', [reference]],
      ['of-another-kind', [{ ...reference, kind: 'Pod' }]],
      ['of-another-group', [{ ...reference, apiVersion: 'vendor.example/v1' }]],
      ['free', []],
    ] as const) {
      const metadata = { name, namespace: 'default', ownerReferences: [...ownerReferences] };
      await cluster.client.create(Secret, { apiVersion: 'v1', kind: 'Secret', metadata });
      await cluster.clock.settle();
    }
    assert.deepEqual(reconciled, ['default/owner']);
  });

  test('of several namespaces, leaves one alone until everything in it is listed, also when it is resynced', async () => {
    for (const namespace of ['default', 'kube-system']) {
      await cluster.client.create(ConfigMap, { ...configMap('a'), metadata: { name: 'a', namespace } });
    }
    cluster.connection.intercept = ({ path }) => {
      if (path.endsWith('/namespaces/default/secrets')) throw refusal(403, 'Forbidden', 'no Secrets');
    };
    await operator.run({ owns: [Secret] }, undefined, { namespaces: ['default', 'kube-system'] });
    await cluster.clock.advance(minutes(11));
    assert.deepEqual(new Set(reconciled), new Set(['kube-system/a']));
    cluster.connection.intercept = () => undefined;
    await cluster.clock.advance(minutes(1));
    assert.deepEqual(new Set(reconciled), new Set(['kube-system/a', 'default/a']));
  });

  test('enqueues what a watch maps to, if its predicate agrees, and survives a mapper that throws', async () => {
    const watches = [
      watch(Secret, () => {
        throw new Error('bad mapper');
      }),
      watch(Secret, ({ metadata }) => [{ namespace: metadata.namespace, name: `of-${metadata.name}` }], {
        predicate: ({ after }) => after?.data?.['ignore'] === undefined,
      }),
    ];
    await operator.run({ watches });
    for (const [name, data] of [
      ['a', {}],
      ['b', { ignore: '' }],
    ] as const) {
      await cluster.client.create(Secret, {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name, namespace: 'default' },
        data,
      });
      await cluster.clock.settle();
    }
    assert.deepEqual(reconciled, ['default/of-a']);
    assert.ok(cluster.logged.some(({ message }) => message === 'cannot map a change to the objects to reconcile'));
  });

  test('enqueues an object only for the changes of it that its predicate accepts', async () => {
    await operator.run({ predicate: ({ before, after }) => hue(before) !== hue(after) });
    const label = async (labels: object) => {
      await cluster.client.patch(ConfigMap, configMap('one').metadata, 'merge', { metadata: { labels } });
      await cluster.clock.settle();
    };
    await cluster.client.create(ConfigMap, configMap('one'));
    await label({ shape: 'round' });
    assert.deepEqual(reconciled, []);
    await label({ hue: 'red' });
    assert.deepEqual(reconciled, ['default/one']);
  });

  test('watches only what a label selector selects', async () => {
    await operator.run({ watches: [watch(Secret, ({ metadata }) => [metadata], { labels: 'app=web' })] });
    for (const app of ['web', 'db']) {
      const metadata = { name: app, namespace: 'default', labels: { app } };
      await cluster.client.create(Secret, { apiVersion: 'v1', kind: 'Secret', metadata });
    }
    await cluster.clock.settle();
    assert.deepEqual(reconciled, ['default/web']);
  });

  describe('treats a kind that is not installed as empty, and watches it once it is', () => {
    const metadata = { name: 'a', namespace: 'default' };
    const create = async () => {
      const { apiVersion, kind } = Site;
      await cluster.client.create(Site, { apiVersion, kind, metadata, spec: {} });
    };
    const install = async () => {
      await cluster.client.create(CustomResourceDefinition, crdOf(Site));
      await cluster.clock.advance(seconds(1));
      await create();
    };

    test('which it learns from a watch, without asking again', async () => {
      await operator.run({ watches: [watch(Site, ({ metadata: { name, namespace } }) => [{ name, namespace }])] });
      await cluster.clock.advance(minutes(5));
      cluster.connection.requests.length = 0;
      await cluster.clock.advance(minutes(30));
      assert.deepEqual(
        cluster.connection.requests.filter((request) => !request.startsWith('WATCH')),
        [],
      );
      await install();
      await cluster.clock.settle();
      assert.deepEqual(reconciled, ['default/a']);
    });

    test('and retries with backoff when it is installed but not served yet', async () => {
      let isServed = false;
      cluster.connection.intercept = async ({ path }) => {
        // An answer takes a while; otherwise polling without a pause would never end.
        await new Promise((resolve) => cluster.clock.after(1, () => resolve(undefined)));
        if (!isServed && path.endsWith('/sites')) throw refusal(404, 'NotFound', '404 page not found');
      };
      await cluster.client.create(CustomResourceDefinition, crdOf(Site));
      const started = operator.run({ for: Site });
      await cluster.clock.advance(minutes(1));
      await started;
      const { length } = cluster.connection.requests;
      assert.ok(length > 10 && length < 40, `${length} requests`);
      isServed = true;
      await create();
      await cluster.clock.advance(minutes(1));
      assert.deepEqual(reconciled, ['default/a']);
    });

    test('also when the connection on which it waits hangs', async () => {
      await operator.run({ watches: [watch(Site, ({ metadata: { name, namespace } }) => [{ name, namespace }])] });
      cluster.connection.holdWatches('/customresourcedefinitions');
      await install();
      await cluster.clock.advance(seconds(77));
      assert.deepEqual(reconciled, ['default/a']);
    });

    test('or by retries, when it may not watch CRDs', async () => {
      cluster.connection.intercept = ({ path }) => {
        if (path.endsWith('/customresourcedefinitions')) throw refusal(403, 'Forbidden', 'not for you');
      };
      await operator.run({ watches: [watch(Site, ({ metadata: { name, namespace } }) => [{ name, namespace }])] });
      await cluster.clock.advance(minutes(5));
      await install();
      await cluster.clock.advance(minutes(1));
      assert.deepEqual(reconciled, ['default/a']);
    });
  });
});
