// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExternalSecret } from '@forge/kube/third-party/external-secrets.ts';
import type { CatalogObserver } from '@forge/runtime/conditions/condition-catalog.ts';
import { brownfield } from '../control-plane-fixture.ts';
import { startControlPlaneOperator, createControlPlane } from '../start-control-plane-operator.ts';

const both = ['DBCredentialsReady', 'AdminPasswordReady'];
const storeNotReady =
  'SecretStoreNotReady: ClusterSecretStore "openbao-cluster-store" is not ready; upstream secret backend unreachable';

/** What is reported about the credentials from OpenBao. */
export function credentialFlows(observer: CatalogObserver): void {
  test('covers the credentials of a managed control plane, from the store to the Secrets', async () => {
    await using operator = await startControlPlaneOperator({ observer, wanted: [] });
    const { clock } = operator.cluster;
    const conditions = async () => (await Promise.all(both.map((type) => operator.condition(type)))).map(String);
    await createControlPlane(operator);
    for (const type of both) await operator.untilCondition(type, storeNotReady);

    const allow = await operator.deny('patch', ExternalSecret);
    operator.vault.forbids = (request) => request.startsWith('GET kv-v2/');
    await operator.neighbours.externalSecrets.start();
    await clock.until(async () => (await conditions()).every((text) => text.startsWith('ExternalSecretError: ')));
    for (const [text, what] of [
      [(await conditions())[0], 'DB credential'],
      [(await conditions())[1], 'admin password'],
    ] as const) {
      assert.match(text ?? '', new RegExp(`^ExternalSecretError: ensuring ${what} ExternalSecret: .+ was refused: `));
    }
    await allow();
    await operator.untilCondition(
      'DBCredentialsReady',
      'WaitingForDBCredentialSecret: DB credential ExternalSecret is not yet Ready',
    );
    await operator.untilCondition(
      'AdminPasswordReady',
      'WaitingForAdminPasswordSecret: admin password ExternalSecret is not yet Ready',
    );
    operator.vault.forbids = () => false;
    await operator.untilCondition('DBCredentialsReady', '+DBCredentialsReady: DB credential ExternalSecret is Ready');
    await operator.untilCondition('AdminPasswordReady', '+AdminPasswordReady: admin password ExternalSecret is Ready');
  });

  test('covers the credentials that users with a database of their own supply', async () => {
    await using operator = await startControlPlaneOperator({ observer, kinds: [], wanted: [] });
    await createControlPlane(operator, { infrastructure: brownfield });
    const reason = '+BrownfieldUserSuppliedCredential: brownfield database: the user supplies the';
    const rest = 'Secret out-of-band; no ExternalSecret is projected';
    await operator.untilCondition('DBCredentialsReady', `${reason} DB credential ${rest}`);
    await operator.untilCondition('AdminPasswordReady', `${reason} admin password ${rest}`);
  });
}
