// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import { minutes } from '@forge/runtime/time/duration.ts';
import { Keystone } from '../keystone.ts';
import { externalSecretsKinds } from '../test/external-secrets.ts';
import { allReady, createKeystone, home, keystoneOperator } from '../test/keystone-operator.ts';

test("a PushSecret of the user's own, although it has the name of a backup, neither holds a deleted Keystone nor goes with it", async () => {
  await using operator = await keystoneOperator(undefined, { kinds: externalSecretsKinds });
  const { client, clock } = operator.cluster;
  const metadata = { ...home, name: 'identity-fernet-keys-backup' };
  await client.create(PushSecret, {
    apiVersion: 'external-secrets.io/v1alpha1',
    kind: 'PushSecret',
    metadata,
    spec: { secretStoreRefs: [{ name: 'mine' }], selector: { secret: { name: 'mine' } } },
  });
  await createKeystone(operator);
  await operator.untilCondition('Ready', allReady);
  await client.delete(Keystone, home);
  await clock.advance(minutes(1));
  assert.equal(await client.find(Keystone, home), undefined);
  assert.equal((await client.get(PushSecret, metadata)).metadata.deletionTimestamp, undefined);
});
