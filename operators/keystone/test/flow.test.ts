// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  ConfigMap,
  CronJob,
  Deployment,
  Job,
  PodDisruptionBudget,
  Secret,
  Service,
} from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { Keystone } from '../api/keystone.ts';
import { keystoneFixture } from './keystone-fixture.ts';
import { allReady, createKeystone, home, startKeystoneOperator, namesIn, secret } from './start-keystone-operator.ts';

describe('a Keystone', () => {
  test('becomes ready: keys, schema, API and bootstrap, with every condition True for its generation', async () => {
    await using operator = await startKeystoneOperator();
    await createKeystone(operator);
    await operator.untilCondition('Ready', allReady);

    const { status, metadata } = await operator.keystone();
    assert.equal(status?.endpoint, 'http://identity.openstack.svc.cluster.local:5000/v3');
    assert.equal(status.installedRelease, '2025.2');
    assert.deepEqual(status.conditions?.map(({ type, status: is, reason }) => `${type} ${is} ${reason}`).toSorted(), [
      'BootstrapReady True BootstrapComplete',
      'CredentialKeysReady True CredentialKeysAvailable',
      'DatabaseReady True DatabaseSynced',
      'DeploymentReady True DeploymentReady',
      'FernetKeysReady True FernetKeysAvailable',
      'HPAReady True HPANotRequired',
      'HTTPRouteReady True HTTPRouteNotRequired',
      'KeystoneAPIReady True APIHealthy',
      'LoggingHealthy True StderrEnabled',
      'NetworkPolicyReady True NetworkPolicyNotRequired',
      'PolicyValidReady True NotRequired',
      'Ready True AllReady',
      'SecretsReady True SecretsAvailable',
      'TrustFlushReady True TrustFlushReady',
    ]);
    for (const condition of status.conditions ?? []) assert.equal(condition.observedGeneration, metadata.generation);
    assert.deepEqual((await operator.events()).toSorted(), [
      'BootstrapComplete',
      'CredentialKeysGenerated',
      'DatabaseSynced',
      'FernetKeysGenerated',
    ]);
    assert.deepEqual(await namesIn(operator, Job), ['identity-bootstrap', 'identity-db-sync', 'identity-schema-check']);
    assert.deepEqual(await namesIn(operator, Deployment), ['identity']);
    assert.deepEqual(await namesIn(operator, Service), ['identity']);
    assert.deepEqual(await namesIn(operator, PodDisruptionBudget), ['identity']);
  });

  test('waits for its credentials, names them, and goes on when they come', async () => {
    await using operator = await startKeystoneOperator();
    const { client } = operator.cluster;
    await client.create(Keystone, keystoneFixture());
    await operator.untilCondition(
      'SecretsReady',
      'WaitingForDBCredentials: Waiting for ESO to sync database credentials from OpenBao',
    );
    await client.create(Secret, secret('keystone-db', { username: 'keystone' }));
    await operator.untilCondition(
      'SecretsReady',
      'WaitingForDBCredentials: Database credentials Secret exists but is missing expected keys',
    );
    const password = Buffer.from('x').toString('base64');
    await client.patch(Secret, { ...home, name: 'keystone-db' }, 'merge', { data: { password } });
    await operator.untilCondition(
      'SecretsReady',
      'WaitingForAdminCredentials: Waiting for ESO to sync admin credentials from OpenBao',
    );
    assert.deepEqual(await namesIn(operator, Job), []);
    await client.create(Secret, secret('keystone-admin', { password: 'y' }));
    await operator.untilCondition('Ready', allReady);
  });

  test('keeps every credential out of ConfigMaps, Jobs, Deployments and Events', async () => {
    await using operator = await startKeystoneOperator();
    await createKeystone(operator);
    await operator.untilCondition('Ready', allReady);
    const { client } = operator.cluster;
    for (const kind of [ConfigMap, Job, Deployment, Keystone] satisfies Kind[] as Kind[]) {
      const text = JSON.stringify((await client.list(kind, {})).items);
      for (const plain of ['db-secret', 'admin-secret']) {
        assert.ok(!text.includes(plain), `${kind.kind} shows ${plain}`);
        assert.ok(!text.includes(Buffer.from(plain).toString('base64')), `${kind.kind} shows ${plain} encoded`);
      }
    }
  });

  test('writes nothing more once it is settled', async () => {
    await using operator = await startKeystoneOperator();
    await createKeystone(operator);
    await operator.untilCondition('Ready', allReady);
    await operator.cluster.clock.advance(minutes(6)); // the bootstrap Job's TTL passes
    const before = (await operator.keystone()).metadata.resourceVersion;
    await operator.cluster.clock.advance(minutes(30));
    assert.equal((await operator.keystone()).metadata.resourceVersion, before);
    assert.deepEqual(await namesIn(operator, Job), ['identity-db-sync', 'identity-schema-check']);
  });

  test('says that db_sync failed, and runs it again when the configuration changes', async () => {
    let broken = true;
    await using operator = await startKeystoneOperator((component) =>
      component === 'db-sync' ? { exit: { code: broken ? 1 : 0, after: seconds(1) } } : {},
    );
    await createKeystone(operator);
    await operator.untilCondition(
      'DatabaseReady',
      'DBSyncFailed: db_sync job failed: job has permanently failed: openstack/identity-db-sync: Error: exit code 1',
    );
    broken = false;
    const patch = { spec: { extraConfig: { DEFAULT: { max_token_size: '512' } } } };
    await operator.cluster.client.patch(Keystone, home, 'merge', patch);
    await operator.untilCondition('Ready', allReady);
  });

  test('rolls its pods and runs bootstrap again when the passwords change', async () => {
    await using operator = await startKeystoneOperator();
    await createKeystone(operator);
    await operator.untilCondition('Ready', allReady);
    const { client } = operator.cluster;
    const bootstrapped = (await operator.keystone()).status?.completedBootstrap;
    const template = async () => (await client.get(Deployment, home)).spec?.template.metadata?.annotations;
    const rolled = await template();

    const data = { password: Buffer.from('new').toString('base64') };
    await client.patch(Secret, { ...home, name: 'keystone-db' }, 'merge', { data });
    await client.patch(Secret, { ...home, name: 'keystone-admin' }, 'merge', { data });
    await operator.cluster.clock.until(
      async () => (await operator.keystone()).status?.completedBootstrap !== bootstrapped,
    );
    assert.notDeepEqual(await template(), rolled);
    await operator.untilCondition('Ready', allReady);
  });

  test('rolls its pods with a new password of the database only after the schema check has passed with it', async () => {
    let hangs = false;
    await using operator = await startKeystoneOperator((component) =>
      component === 'schema-check' && hangs ? { exit: 'never' } : {},
    );
    await createKeystone(operator);
    await operator.untilCondition('Ready', allReady);
    const { client, clock } = operator.cluster;
    const checked = (await client.get(Job, { ...home, name: 'identity-schema-check' })).metadata.uid;
    const before = (await operator.deployment()).spec?.template;

    hangs = true;
    await client.patch(Secret, { ...home, name: 'keystone-db' }, 'merge', {
      data: { password: Buffer.from('new').toString('base64') },
    });
    await clock.until(async () => {
      const { metadata, status } = await client.get(Job, { ...home, name: 'identity-schema-check' });
      return metadata.uid !== checked && (status?.ready ?? 0) > 0;
    });
    await clock.advance(minutes(1));
    assert.deepEqual((await operator.deployment()).spec?.template, before);

    hangs = false;
    await clock.until(async () => (await operator.deployment()).metadata.generation === 2);
    await operator.untilCondition('Ready', allReady);
  });

  test('is no longer ready when its API cannot authenticate, and recovers', async () => {
    await using operator = await startKeystoneOperator();
    await createKeystone(operator);
    await operator.untilCondition('Ready', allReady);
    operator.health = { found: 'degraded', what: 'HTTP 500' };
    await operator.untilCondition('Ready', 'NotAllReady: One or more sub-conditions are not ready');
    assert.equal(
      await operator.condition('KeystoneAPIReady'),
      'APIDegraded: Keystone API at http://identity.openstack.svc.cluster.local:5000/v3 answers but cannot authenticate: HTTP 500',
    );
    operator.health = { found: 'healthy' };
    await operator.untilCondition('Ready', allReady);
  });

  test('refuses configuration that cannot be rendered, and keeps what runs', async () => {
    await using operator = await startKeystoneOperator();
    await createKeystone(operator);
    await operator.untilCondition('Ready', allReady);
    const patch = { spec: { extraConfig: { DEFAULT: { debug: 'a\nb' } } } };
    await operator.cluster.client.patch(Keystone, home, 'merge', patch);
    await operator.untilCondition(
      'SecretsReady',
      'ConfigError: option "debug" of section [DEFAULT] must be a single line: remove the line break',
    );
    assert.deepEqual(await namesIn(operator, Deployment), ['identity']);
  });

  test('takes everything it made with it when it is deleted, except the keys of a database that stays', async () => {
    await using operator = await startKeystoneOperator();
    await createKeystone(operator);
    await operator.untilCondition('Ready', allReady);
    await operator.cluster.client.delete(Keystone, home);
    await operator.cluster.clock.advance(minutes(1));
    assert.deepEqual(await namesIn(operator, Deployment), []);
    assert.deepEqual(await namesIn(operator, Job), []);
    assert.deepEqual(await namesIn(operator, CronJob), []);
    assert.deepEqual(await namesIn(operator, Secret), [
      'identity-credential-keys',
      'identity-fernet-keys',
      'keystone-admin',
      'keystone-db',
    ]);
  });
});
