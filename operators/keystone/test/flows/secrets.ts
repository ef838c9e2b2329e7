// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import type { CatalogObserver } from '@forge/runtime/conditions/condition-catalog.ts';
import { controllerReference } from '@forge/runtime/objects/owner-reference.ts';
import { prometheusMetrics } from '@forge/runtime/observability/prometheus-metrics.ts';
import { countedErrors } from '@forge/testing/counted-errors.ts';
import { Keystone } from '../../api/keystone.ts';
import { emptyKey } from '../external-secrets.ts';
import { keystoneFixture, managedDatabase } from '../keystone-fixture.ts';
import {
  allReady,
  createCredentials,
  createKeystone,
  digestKeyName,
  home,
  startKeystoneOperator,
  secret,
} from '../start-keystone-operator.ts';

/** What is reported about the credentials and whatever else every pod depends on. */
export function secretsFlows(observer: CatalogObserver): void {
  test('covers the way to a ready Keystone, step by step', async () => {
    await using operator = await startKeystoneOperator(undefined, { observer });
    const { client, clock } = operator.cluster;
    await client.create(Keystone, keystoneFixture());
    await clock.settle();
    await client.create(Secret, secret('keystone-db', { username: 'keystone' }));
    await clock.settle();
    const data = { password: Buffer.from('x').toString('base64') };
    await client.patch(Secret, { ...home, name: 'keystone-db' }, 'merge', { data });
    await clock.settle();
    await client.create(Secret, secret('keystone-admin', { user: 'admin' }));
    await clock.settle();
    await client.patch(Secret, { ...home, name: 'keystone-admin' }, 'merge', { data });
    await operator.untilCondition('Ready', allReady);
  });

  test('covers configuration that cannot be rendered, and what the server refuses', async () => {
    const metrics = prometheusMetrics();
    await using operator = await startKeystoneOperator(undefined, { observer, metrics });
    await createKeystone(operator);
    const { client, clock } = operator.cluster;
    await client.patch(Keystone, home, 'merge', { spec: { extraConfig: { DEFAULT: { debug: 'a\nb' } } } });
    await clock.settle();
    assert.deepEqual(countedErrors(await metrics.text()), ['Config SecretsReady']);
    // A Deployment cannot roll out with neither a surge nor an unavailable pod.
    const strategy = { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } };
    await client.patch(Keystone, home, 'merge', { spec: { extraConfig: null, strategy } });
    await clock.until(async () => (await operator.condition('DeploymentReady'))?.startsWith('ApplyRejected: '));
    assert.deepEqual(countedErrors(await metrics.text()), ['Config SecretsReady', 'Deployment DeploymentReady']);
  });

  test('covers a digest key that is none, and its replacement', async () => {
    const metrics = prometheusMetrics();
    await using operator = await startKeystoneOperator(undefined, { observer, metrics });
    const { client, clock } = operator.cluster;
    const owner = await client.create(Keystone, keystoneFixture());
    const { metadata, ...spoiled } = secret(digestKeyName.name, { key: '' });
    const ownerReferences = [controllerReference(owner)];
    await client.create(Secret, { ...spoiled, metadata: { ...metadata, ownerReferences } });
    await createCredentials(operator);
    await clock.settle();
    assert.match((await operator.condition('SecretsReady')) ?? '', /^InvalidDigestKey: /);
    assert.deepEqual(countedErrors(await metrics.text()), ['DBConnectionSecret SecretsReady']);
    await client.delete(Secret, digestKeyName);
    await operator.untilCondition('Ready', allReady);
  });

  test('covers an account without a name', async () => {
    await using operator = await startKeystoneOperator(undefined, { observer });
    const { client, clock } = operator.cluster;
    await createKeystone(operator);
    await emptyKey(client, 'keystone-db', 'username');
    await clock.settle();
    const text = 'Upstream database credentials Secret openstack/keystone-db missing or missing key "username"';
    assert.equal(await operator.condition('SecretsReady'), `WaitingForDBCredentials: ${text}`);
  });

  test('covers a secret store that is missing', async () => {
    await using operator = await startKeystoneOperator(undefined, { observer });
    await operator.cluster.client.create(Keystone, keystoneFixture({ database: managedDatabase }));
    const text = 'ClusterSecretStore "openbao-cluster-store" is not ready; upstream secret backend unreachable';
    await operator.untilCondition('SecretsReady', `SecretStoreNotReady: ${text}`);
  });
}
