// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { ConfigMap, CustomResourceDefinition, Secret, ServiceAccount } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import { minutes, seconds } from '../../environment/duration.ts';
import { tokens, modified, type Modified } from '../../steps/modified.ts';
import { ready } from '../../steps/outcome.ts';
import { reads } from '../../steps/reads.ts';
import type { StepContext } from '../../steps/step-context.ts';
import { Gateway } from '../../test/gateway.ts';
import { home, siteOperator, type SiteOperator } from '../../test/site-operator.ts';
import { step } from '../../test/site-steps.ts';
import { Site, type Services } from '../../test/site.ts';

const theirs = { namespace: 'default', name: 'theirs' };

/** A step that does this to the ConfigMap of somebody else, once the Site says `modify`. */
const modifying = (
  declared: readonly Modified[],
  modify: (live: ConfigMap, context: StepContext<Site, Services, object>) => Promise<unknown>,
) =>
  step({
    name: 'Modifying',
    condition: 'Modified',
    reads: [reads(ConfigMap, () => ['theirs'])],
    modifies: declared,
    async run(context) {
      const live = context.get(ConfigMap, 'theirs');
      if (live !== undefined && context.object.spec.text === 'modify') await modify(live, context);
      return ready('Fine', '');
    },
  });

describe('a step modifies', () => {
  let operator: SiteOperator;

  beforeEach(async () => {
    operator = await siteOperator();
  });

  afterEach(async () => {
    await operator[Symbol.asyncDispose]();
  });

  const create = async (metadata: Partial<ConfigMap['metadata']> = {}) => {
    const object: ConfigMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...theirs, ...metadata } };
    return await operator.cluster.client.create(ConfigMap, object);
  };

  const writes = async () => {
    operator.writes();
    await operator.patch({ text: 'modify' });
    return operator.writes().filter((request) => !request.includes('status'));
  };

  test('an annotation of an unowned object, once', async () => {
    await create({ annotations: { theirs: 'x' } });
    const annotations = { 'example.com/sync': '1' };
    await operator.start(
      modifying([modified(ConfigMap, 'patch')], (live, { patch }) =>
        patch(ConfigMap, live, { metadata: { annotations } }),
      ),
    );
    assert.deepEqual(await writes(), ['PATCH configmaps/theirs']);
    await operator.cluster.clock.advance(minutes(20));
    assert.deepEqual(operator.writes(), []);
    const { metadata } = await operator.cluster.client.get(ConfigMap, theirs);
    assert.deepEqual(metadata.annotations, { theirs: 'x', ...annotations });
  });

  test('an annotation of the resource itself', async () => {
    await create();
    await operator.start(
      modifying([modified(Site, 'patch')], (_, { object, patch }) =>
        patch(Site, object, { metadata: { annotations: { 'example.com/seen': 'yes' } } }),
      ),
    );
    assert.deepEqual(await writes(), ['PATCH sites/home']);
    assert.equal((await operator.site()).metadata.annotations?.['example.com/seen'], 'yes');
  });

  test('no successor of the same name, and with `exact` none that has changed', async () => {
    await create();
    const patched = modifying([modified(ConfigMap, 'patch')], (live, { patch }) =>
      patch(ConfigMap, live, { data: { ours: 'x' } }, { exact: true }),
    );
    await operator.start(patched);
    operator.cluster.connection.intercept = async ({ method, path }) => {
      if (method !== 'PATCH' || !path.endsWith('/theirs')) return;
      operator.cluster.connection.intercept = () => undefined;
      await operator.cluster.client.patch(ConfigMap, theirs, 'merge', { data: { theirs: 'y' } });
    };
    await operator.patch({ text: 'modify' });
    assert.match(String(operator.errors()[0]), /the object has been modified/);
    await operator.cluster.clock.advance(seconds(1));
    assert.deepEqual((await operator.cluster.client.get(ConfigMap, theirs)).data, { ours: 'x', theirs: 'y' });
  });

  test('finalizers and owner references, and removes only those that are selected', async () => {
    const owner = { apiVersion: 'v1', kind: 'Secret', name: 'gone', uid: 'u-1' };
    const kept = { ...owner, name: 'kept', uid: 'u-2' };
    await create({ finalizers: ['vendor.example/a', 'other.example/b'], ownerReferences: [owner, kept] });
    await operator.start(
      modifying([modified(ConfigMap, 'release')], (live, { release }) =>
        release(ConfigMap, live, {
          finalizers: (name) => name.startsWith('vendor.example/'),
          owners: ({ uid }) => uid === 'u-1',
        }),
      ),
    );
    assert.deepEqual(await writes(), ['PATCH configmaps/theirs']);
    const { finalizers, ownerReferences } = (await operator.cluster.client.get(ConfigMap, theirs)).metadata;
    assert.deepEqual([finalizers, ownerReferences?.map(({ uid }) => uid)], [['other.example/b'], ['u-2']]);
    await operator.cluster.clock.advance(minutes(20));
    assert.deepEqual(operator.writes(), []);
  });

  test('an unowned object by deleting it, and a collection by labels', async () => {
    await create();
    for (const name of ['one', 'two', 'three']) {
      const labels = { app: name === 'three' ? 'other' : 'web' };
      const metadata = { namespace: 'default', name, labels };
      await operator.cluster.client.create(Secret, { apiVersion: 'v1', kind: 'Secret', metadata });
    }
    const declared = [modified(ConfigMap, 'delete'), modified(Secret, 'deleteCollection')];
    await operator.start(
      modifying(declared, async (live, { deleteUnowned, deleteCollection: deleteLabelled }) => {
        await deleteUnowned(ConfigMap, live);
        await deleteLabelled(Secret, { app: 'web' });
      }),
    );
    assert.deepEqual(await writes(), ['DELETE configmaps/theirs', 'DELETE secrets']);
    const { items } = await operator.cluster.client.list(Secret, { namespace: 'default' });
    assert.deepEqual(
      items.map(({ metadata }) => metadata.name),
      ['three'],
    );
  });

  test('a ServiceAccount by requesting a token', async () => {
    await create();
    const metadata = { namespace: 'default', name: 'robot' };
    await operator.cluster.client.create(ServiceAccount, { apiVersion: 'v1', kind: 'ServiceAccount', metadata });
    let token = '';
    await operator.start(
      modifying([tokens], async (_, { requestToken }) => {
        const issued = await requestToken('robot', { audiences: ['openbao-internal'], validFor: minutes(10) });
        assert.equal(String(issued.token), '[redacted]');
        token = issued.token.reveal();
      }),
    );
    await operator.patch({ text: 'modify' });
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { aud: string[] };
    assert.deepEqual(claims.aud, ['openbao-internal']);
  });

  test('nothing with a dry run, which throws the error of a real creation', async () => {
    await create();
    const secret: Secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'root' }, data: { 'a b': '' } };
    await operator.start(
      modifying([modified(Secret, 'dryRunCreate')], (_, { dryRunCreate: rehearse }) => rehearse(secret)),
    );
    await operator.patch({ text: 'modify' });
    assert.deepEqual((await operator.conditions())[0], 'Modified False ApplyRejected');
    assert.equal(await operator.cluster.client.find(Secret, { ...home, name: 'root' }), undefined);
  });

  test('nothing that it does not declare', async () => {
    await create();
    await operator.start(
      modifying([modified(ConfigMap, 'release')], (live, { patch }) => patch(ConfigMap, live, { data: { a: 'b' } })),
    );
    await operator.patch({ text: 'modify' });
    assert.match(
      String(operator.errors()[0]),
      /step Modifying may not patch a ConfigMap: declare it in modifies, with modified\(ConfigMap, 'patch'\)/,
    );
  });

  test('a kind that is not installed: a condition, retried because its installation is not watched', async () => {
    const gateway = { apiVersion: Gateway.apiVersion, kind: 'Gateway', metadata: { name: 'web' }, spec: {} };
    const rehearsing = step({
      name: 'Rehearsing',
      condition: 'Rehearsed',
      modifies: [modified(Gateway, 'dryRunCreate', 'deleteCollection')],
      async run({ dryRunCreate: rehearse, deleteCollection: deleteLabelled }) {
        await deleteLabelled(Gateway, { old: 'true' });
        await rehearse(gateway);
        return ready('Fine', '');
      },
    });
    await operator.start(rehearsing);
    assert.equal((await operator.conditions())[0], 'Rehearsed False KindNotInstalled');
    assert.deepEqual(operator.errors(), []);
    await operator.cluster.client.create(CustomResourceDefinition, crdOf(Gateway));
    await operator.cluster.clock.advance(minutes(2));
    assert.equal((await operator.conditions())[0], 'Rehearsed True Fine');
  });
});
