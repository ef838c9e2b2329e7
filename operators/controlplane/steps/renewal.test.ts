// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Keystone } from '@forge/keystone/api/keystone.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { ExternalSecret } from '@forge/kube/third-party/external-secrets.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { at, nudge, readyControlPlane } from '../test/credential-steps.ts';

test('a credential is renewed while the Keystone or an ExternalSecret of its ControlPlane is being deleted', async () => {
  await using operator = await readyControlPlane();
  const { client, clock } = operator.cluster;
  const { credentials } = operator.keystone.state;
  const [before] = credentials.keys();
  for (const [kind, name] of [
    [Keystone, 'controlplane-keystone'],
    [ExternalSecret, 'controlplane-keystone-db-credentials'],
    [ExternalSecret, 'controlplane-keystone-admin-credentials'],
  ] as const) {
    await client.patch<KubeObject>(kind, at(name), 'merge', { metadata: { finalizers: ['example.com/hold'] } });
    await client.delete(kind, at(name));
  }
  await clock.settle();
  assert.match((await operator.condition('KeystoneReady')) ?? '', /^WaitingForKeystone: /);
  assert.match((await operator.condition('DBCredentialsReady')) ?? '', /^WaitingForDBCredentialSecret: /);
  assert.match((await operator.condition('AdminPasswordReady')) ?? '', /^WaitingForAdminPasswordSecret: /);
  await nudge(operator);
  await clock.advance(seconds(30));
  const [after, ...others] = credentials.keys();
  assert.ok(after !== undefined && after !== before && others.length === 0, [...credentials.keys()].join(' '));
});
