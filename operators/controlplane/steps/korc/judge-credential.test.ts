// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApplicationCredential } from '@forge/kube/third-party/korc.ts';
import { controlPlaneOperator } from '../../test/control-plane-operator.ts';
import { createMinted, credentialName } from '../../test/credential-steps.ts';

test('status tells whether the credential in Keystone is restricted, and until K-ORC reports that, what is asked for', async () => {
  await using operator = await controlPlaneOperator({ wanted: ['keystone'] });
  const { client, clock } = operator.cluster;
  await createMinted(operator);
  const restricted = async () => (await operator.controlPlane()).status?.adminApplicationCredential?.restricted;
  assert.equal(await restricted(), true);
  for (const unrestricted of [true, false]) {
    const status = { resource: { unrestricted } };
    await client.patch(ApplicationCredential, credentialName, 'merge', { status }, { subresource: 'status' });
    await clock.settle();
    assert.equal(await restricted(), unrestricted ? undefined : true);
  }
});
