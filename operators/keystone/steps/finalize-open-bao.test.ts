// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import { minutes } from '@forge/runtime/environment/duration.ts';
import { Keystone } from '../api/keystone.ts';
import { backupStore } from '../test/backup-store.ts';
import { externalSecretsKinds } from '../test/external-secrets.ts';
import { allReady, createKeystone, home, startKeystoneOperator } from '../test/start-keystone-operator.ts';

test("a PushSecret of the user's own, although it has the name of a backup, neither holds a deleted Keystone nor goes with it", async () => {
  await using operator = await startKeystoneOperator(undefined, { kinds: externalSecretsKinds });
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

for (const [what, request, policy] of [
  ['a backup', 'DELETE', 'Delete'],
  ['the backup of lost keys', 'PATCH', 'None'],
] as const) {
  test(`${what} that the garbage collector has orphaned meanwhile stays as it is`, async () => {
    const backup = { ...home, name: 'identity-credential-keys-backup' };
    let orphanedAt: string | undefined;
    await using operator = await startKeystoneOperator(undefined, {
      kinds: externalSecretsKinds,
      async before({ method, path }) {
        if (orphanedAt !== undefined || !path.endsWith(`/pushsecrets/${backup.name}`)) return;
        if ((await client.find(Keystone, home))?.metadata.deletionTimestamp === undefined) return;
        orphanedAt = method;
        await client.patch(PushSecret, backup, 'merge', { metadata: { ownerReferences: null } });
      },
    });
    await using store = await backupStore(operator);
    const { client, clock } = operator.cluster;
    await createKeystone(operator);
    await operator.untilCondition('Ready', allReady);
    await clock.advance(minutes(1));
    if (policy === 'None') await client.delete(Secret, { ...home, name: 'identity-credential-keys' });
    await clock.advance(minutes(1));
    await client.delete(Keystone, home);
    await clock.advance(minutes(1));
    assert.equal(orphanedAt, request);
    assert.equal(await client.find(Keystone, home), undefined);
    const { metadata, spec } = await client.get(PushSecret, backup);
    assert.deepEqual([metadata.deletionTimestamp, spec.deletionPolicy], [undefined, policy]);
    assert.deepEqual(store.vault.paths(), ['kv-v2/openstack/keystone/openstack/identity/credential-keys']);
  });
}
