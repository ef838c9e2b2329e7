// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { Client } from '@forge/kube/client/client.ts';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { controllerReference, ownerAnnotation } from '@forge/runtime/objects/owner-reference.ts';
import { Keystone } from '../../api/keystone.ts';
import { keyTypes, rotationCompletedAnnotation, rotationTargetLabel } from '../../api/names.ts';
import {
  freshKeys,
  keysIn,
  productionName,
  rotate,
  rotateKeys,
  stagingName,
  type Keys,
} from '../../test/played-rotation.ts';
import {
  allReady,
  createKeystone,
  home,
  startKeystoneOperator,
  secret,
  type KeystoneOperator,
} from '../../test/start-keystone-operator.ts';

const production = productionName('fernet');
const staging = stagingName('fernet');

describe('keys that somebody else changes while the operator is at work', () => {
  let operator: KeystoneOperator;
  /** What happens right before the operator's next such request. */
  let meanwhile: { request: string; act: () => Promise<unknown> } | undefined;

  beforeEach(async () => {
    meanwhile = undefined;
    operator = await startKeystoneOperator(undefined, {
      async before({ method, path }) {
        if (meanwhile?.request !== `${method} ${path.slice(path.lastIndexOf('/') + 1)}`) return;
        const { act } = meanwhile;
        meanwhile = undefined;
        await act();
        for (let turn = 0; turn < 10; turn++) await operator.cluster.clock.settle();
      },
    });
    await createKeystone(operator);
    await operator.untilCondition('Ready', allReady);
  });
  afterEach(() => operator[Symbol.asyncDispose]());

  /** Gives the keys the owner of an earlier version, which the operator removes; meanwhile they get a second owner. */
  async function addOwnerMeanwhile(): Promise<{ holder: string | undefined }> {
    const { client } = operator.cluster;
    const { apiVersion, kind, metadata } = await client.create(Secret, secret('holder', {}));
    const holder = { apiVersion, kind, name: metadata.name, uid: metadata.uid ?? '' };
    const ours = controllerReference(await operator.keystone());
    meanwhile = {
      request: `PATCH ${production.name}`,
      act: () => client.patch(Secret, production, 'merge', { metadata: { ownerReferences: [ours, holder] } }),
    };
    const annotations = { [ownerAnnotation]: null };
    await client.patch(Secret, production, 'merge', { metadata: { ownerReferences: [ours], annotations } });
    return { holder: metadata.uid };
  }

  async function owners(): Promise<(string | undefined)[]> {
    const { metadata } = await operator.cluster.client.get(Secret, production);
    return (metadata.ownerReferences ?? []).map(({ uid }) => uid);
  }

  test('are claimed without the loss of another owner', async () => {
    const { holder } = await addOwnerMeanwhile();
    await operator.cluster.clock.advance(minutes(1));
    assert.equal(meanwhile, undefined);
    assert.deepEqual(await owners(), [holder]);
  });

  test('are retained without the loss of another owner', async () => {
    const { client, clock } = operator.cluster;
    // Nothing is claimed while the credentials are missing.
    await client.delete(Secret, { ...home, name: 'keystone-admin' });
    await clock.advance(seconds(1));
    const { holder } = await addOwnerMeanwhile();
    await clock.advance(seconds(1));
    assert.notEqual(meanwhile, undefined);
    await client.delete(Keystone, home);
    await clock.advance(minutes(1));
    assert.equal(meanwhile, undefined);
    assert.equal(await client.find(Keystone, home), undefined);
    assert.deepEqual(await owners(), [holder]);
  });

  const stage = (keys: Keys, completedAt: string, labels = {}) =>
    operator.cluster.client.patch(Secret, staging, 'strategic', {
      metadata: { annotations: { [rotationCompletedAnnotation]: completedAt }, labels },
      data: { ...keys },
    });

  test('are taken from the next rotation, too, when that is staged before the last one is discarded', async () => {
    const first = rotateKeys(await keysIn(operator, 'fernet'));
    const second = rotateKeys(first);
    const dropped = Object.fromEntries(Object.keys(first).map((index) => [index, null]));
    meanwhile = {
      request: `PUT ${production.name}`,
      act: () => stage({ ...dropped, ...second } as Keys, '2026-01-02T00:00:00Z'),
    };
    await stage(first, '2026-01-01T00:00:00Z');
    await operator.cluster.clock.advance(minutes(1));
    assert.equal(meanwhile, undefined);
    assert.deepEqual(await keysIn(operator, 'fernet'), second);
  });

  test('are not replaced by a rotation of those that were there before', async () => {
    const { client, clock } = operator.cluster;
    const live = await client.get(Secret, production);
    const restored = freshKeys();
    meanwhile = {
      request: `PATCH ${staging.name}`,
      act: () => client.update(Secret, { ...live, data: restored }),
    };
    // The operator repairs the label before it looks at the keys.
    await stage(rotateKeys(live.data ?? {}), '2026-01-01T00:00:00Z', { [rotationTargetLabel]: null });
    await clock.advance(minutes(1));
    assert.equal(meanwhile, undefined);
    assert.deepEqual(await keysIn(operator, 'fernet'), restored);
    assert.ok((await operator.events()).includes('RotationRejected'));
  });
});

test('keys of a database that stays have no owner at any moment, neither when they are generated nor in a rotation', async () => {
  const owners = new Set<string>();
  let client: Client | undefined;
  await using operator = await startKeystoneOperator(undefined, {
    async before() {
      for (const keyType of keyTypes) {
        const found = await client?.find(Secret, productionName(keyType));
        for (const { kind } of found?.metadata.ownerReferences ?? []) owners.add(kind);
      }
    },
  });
  client = operator.cluster.client;
  await createKeystone(operator);
  await operator.untilCondition('Ready', allReady);
  for (const keyType of keyTypes) await rotate(operator, keyType);
  assert.deepEqual([...owners], []);
});
