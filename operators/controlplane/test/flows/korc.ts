// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CustomResourceDefinition, Secret } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import { ExternalSecret } from '@forge/kube/third-party/external-secrets.ts';
import { ApplicationCredential } from '@forge/kube/third-party/korc.ts';
import type { CatalogObserver } from '@forge/runtime/conditions/condition-catalog.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { prometheusMetrics } from '@forge/runtime/observability/prometheus-metrics.ts';
import { countedErrors } from '@forge/testing/counted-errors.ts';
import { ControlPlane } from '../../api/control-plane.ts';
import { brownfield, controlPlaneFixture, home } from '../control-plane-fixture.ts';
import { credentialId, credentialName, nudge, setSynced, untilAnother } from '../credential-steps.ts';
import { passwords } from '../neighbours.ts';
import { refusedRequests } from '../refused-requests.ts';
import { korcObjects, setKorc } from '../script-korc.ts';
import {
  allReady,
  startControlPlaneOperator,
  createControlPlane,
  createCredentials,
  secret,
  type ControlPlaneOperator,
} from '../start-control-plane-operator.ts';

const notAvailable =
  'WaitingForApplicationCredential: ApplicationCredential "controlplane-admin-app-credential" is not yet Available';
const failed =
  'ApplicationCredentialFailed: ApplicationCredential "controlplane-admin-app-credential" failed terminally: 409';

/** What is reported about the application credential, and of what K-ORC needs to mint it. */
export function korcFlows(observer: CatalogObserver): void {
  test('covers the mint of a credential', async () => {
    await using operator = await startControlPlaneOperator({ observer });
    await createControlPlane(operator);
    await operator.untilCondition('Ready', allReady);
  });

  test('covers a password that is missing', async () => {
    await using operator = await startControlPlaneOperator({ observer });
    await createControlPlane(operator, { infrastructure: brownfield });
    await operator.cluster.clock.settle();
    const text =
      'WaitingForAdminPassword: admin password Secret is not yet available; deferring application-credential mint';
    assert.equal(await operator.condition('KORCReady'), text);
    await createCredentials(operator);
    await operator.untilCondition(
      'KORCReady',
      '+ApplicationCredentialMinted: K-ORC admin application credential is minted and available',
    );
  });

  test('covers a ControlPlane older than the rule whose clouds.yaml is to replace the Secret of the admin password', async () => {
    await using operator = await startControlPlaneOperator({ observer });
    const { client, clock } = operator.cluster;
    await createCredentials(operator);
    const password = (await client.get(Secret, { ...home, name: 'keystone-admin' })).data;
    const { adminCredential } = controlPlaneFixture().spec.korc;
    const cloudCredentialsRef = { ...adminCredential.cloudCredentialsRef, secretName: 'keystone-admin' };
    const spec = { infrastructure: brownfield, korc: { adminCredential: { ...adminCredential, cloudCredentialsRef } } };
    const { 'x-kubernetes-validations': _, ...schema } = ControlPlane.schema;
    const { metadata } = crdOf(ControlPlane);
    const { spec: definition } = crdOf({ ...ControlPlane, schema });
    await client.patch(CustomResourceDefinition, metadata, 'merge', { spec: definition });
    await createControlPlane(operator, spec);
    await clock.advance(minutes(5));
    assert.equal(
      await operator.condition('KORCReady'),
      'SecretNameConflict: cloudCredentialsRef.secretName: Secret keystone-admin is named by ' +
        'spec.korc.adminCredential.passwordSecretRef.name, too; give each field a Secret of its own',
    );
    assert.deepEqual((await client.get(Secret, { ...home, name: 'keystone-admin' })).data, password);
    assert.equal(await client.find(ExternalSecret, { ...home, name: 'keystone-admin' }), undefined);
  });

  test('covers a Secret of somebody else under the name of clouds.yaml, and goes on when it is gone', async () => {
    await using operator = await startControlPlaneOperator({ observer });
    const { client, clock } = operator.cluster;
    const mine = await client.create(Secret, secret('k-orc-clouds-yaml', { 'clouds.yaml': 'clouds: {mine: {}}' }));
    await createControlPlane(operator);
    await clock.advance(minutes(5));
    assert.match(
      (await operator.condition('KORCReady')) ?? '',
      /^SecretNameConflict: Secret "k-orc-clouds-yaml" was not made/,
    );
    assert.deepEqual((await client.get(Secret, mine.metadata)).data, mine.data);
    await client.delete(Secret, mine.metadata);
    await operator.untilCondition('Ready', allReady);
  });

  for (const [what, pattern, text] of [
    [
      'password-cloud',
      /PATCH .*\/controlplane-admin-password-cloud$/,
      /^PasswordCloudError: ensuring admin password-cloud secret: /,
    ],
    ['domain import', /PATCH .*\/domains\//, /^AdminImportError: ensuring K-ORC admin User\/Domain imports: /],
    ['user import', /PATCH .*\/users\//, /^AdminImportError: ensuring K-ORC admin User\/Domain imports: /],
    ['Secret of the credential', /POST .*\/secrets$/, /^SecretError: ensuring application-credential secret: /],
    [
      'bootstrap clouds.yaml',
      /PATCH .*\/secrets\/controlplane-admin-app-credential$/,
      /^SeedCloudsYamlError: seeding bootstrap clouds.yaml: /,
    ],
    ['PushSecret', /PATCH .*\/pushsecrets\//, /^PushSecretError: ensuring admin app-credential PushSecret: /],
    [
      'ExternalSecret',
      /PATCH .*\/externalsecrets\/k-orc-clouds-yaml$/,
      /^ExternalSecretError: ensuring k-orc clouds.yaml ExternalSecret: /,
    ],
    [
      'ApplicationCredential',
      /POST .*\/applicationcredentials$/,
      /^ApplicationCredentialError: create-or-update ApplicationCredential: /,
    ],
  ] as const) {
    test(`covers the refusal of the ${what}, an error of KORC and nobody else, and goes on when it is over`, async () => {
      const metrics = prometheusMetrics();
      const refused = refusedRequests();
      refused.pattern = pattern;
      // K-ORC does not run yet: it would mint faster than the condition can be observed.
      const wanted = ['mariadb', 'memcached', 'externalSecrets', 'keystone'] as const;
      await using operator = await startControlPlaneOperator({ observer, metrics, ...refused, wanted });
      await createControlPlane(operator);
      await operator.cluster.clock.advance(seconds(5));
      assert.match((await operator.condition('KORCReady')) ?? '', text);
      assert.deepEqual(countedErrors(await metrics.text()), ['KORC KORCReady']);
      refused.pattern = undefined;
      await operator.neighbours.korc.start();
      await operator.untilCondition('Ready', allReady);
    });
  }

  test('covers a Secret of somebody else in the place of the credential', async () => {
    await using operator = await startControlPlaneOperator({ observer });
    await operator.cluster.client.create(Secret, secret(credentialName.name, { value: 'theirs' }));
    await createControlPlane(operator);
    await operator.cluster.clock.advance(seconds(5));
    assert.match(
      (await operator.condition('KORCReady')) ?? '',
      /^SecretError: ensuring application-credential secret: /,
    );
  });

  test('covers a re-mint, from its trigger to a K-ORC that cannot revoke', async () => {
    const refused = refusedRequests();
    await using operator = await startControlPlaneOperator({ observer, ...refused });
    const { client, clock } = operator.cluster;
    await createControlPlane(operator);
    await operator.untilCondition('Ready', allReady);

    refused.pattern = /PATCH .*\/secrets\/controlplane-admin-app-credential$/;
    await nudge(operator);
    await clock.settle();
    assert.match(
      (await operator.condition('KORCReady')) ?? '',
      /^SecretError: regenerating application-credential secret value for re-mint: /,
    );
    refused.pattern = /DELETE .*\/applicationcredentials\//;
    await clock.advance(seconds(30));
    assert.match(
      (await operator.condition('KORCReady')) ?? '',
      /^ApplicationCredentialError: deleting ApplicationCredential for re-mint: /,
    );

    await operator.neighbours.korc.stop();
    refused.pattern = undefined;
    await operator.untilCondition(
      'KORCReady',
      'ReMinting: re-minting admin application credential "controlplane-admin-app-credential"; awaiting revoke of the previous credential',
    );
    const { deletionTimestamp = '' } = (await client.get(ApplicationCredential, credentialName)).metadata;
    const stalled =
      'ReMintStalled: admin application credential "controlplane-admin-app-credential" has been Terminating longer than 5m0s; K-ORC may be unable to revoke the previous Keystone credential';
    await operator.untilCondition('KORCReady', stalled);
    const waited = clock.now() - Date.parse(deletionTimestamp);
    assert.ok(waited > minutes(5) && waited <= minutes(5) + seconds(11), `stalled after ${waited} ms`);
    await operator.neighbours.korc.start();
    await operator.untilCondition('Ready', allReady);
  });

  for (const [what, ask] of [
    ['on request', nudge],
    [
      'for another restriction',
      ({ cluster: { client } }) => {
        const korc = { adminCredential: { applicationCredential: { restricted: false } } };
        return client.patch(ControlPlane, home, 'merge', { spec: { korc } });
      },
    ],
  ] satisfies [string, (operator: ControlPlaneOperator) => Promise<unknown>][]) {
    test(`covers a re-mint ${what} that waits for the secret store, and leaves the credential alone`, async () => {
      await using operator = await startControlPlaneOperator({ observer });
      const { clock } = operator.cluster;
      await createControlPlane(operator);
      await operator.untilCondition('Ready', allReady);
      const id = await credentialId(operator);
      await operator.neighbours.externalSecrets.stop();
      await setSynced(operator, 'store', 'False');
      await ask(operator);
      await clock.advance(minutes(30));
      assert.equal(
        await operator.condition('KORCReady'),
        'SecretStoreNotReady: ClusterSecretStore "openbao-cluster-store" is not ready; upstream secret backend unreachable',
      );
      assert.ok(operator.keystone.state.credentials.has(id ?? ''));
      await setSynced(operator, 'store', 'True');
      await operator.neighbours.externalSecrets.start();
      await untilAnother(operator, id);
    });
  }

  test('covers a password that Keystone no longer takes, and one that it takes again', async () => {
    await using operator = await startControlPlaneOperator({ observer });
    const { clock } = operator.cluster;
    await createControlPlane(operator);
    await operator.untilCondition('Ready', allReady);
    operator.keystone.bootstrap({ password: 'changed by hand' });
    await clock.advance(minutes(11));
    const text =
      'WaitingForAdminPassword: admin password Secret is not yet available; deferring application-credential mint: Keystone refuses the admin password';
    assert.equal(await operator.condition('KORCReady'), text);
    assert.match((await operator.condition('AdminCredentialReady')) ?? '', /^\+/);
    operator.keystone.bootstrap({ password: passwords.admin });
    await clock.advance(minutes(2));
    assert.equal(await operator.condition('Ready'), allReady);
  });

  test('covers a credential whose logins are not answered, although the Keystone is ready', async () => {
    await using operator = await startControlPlaneOperator({ observer });
    const { clock } = operator.cluster;
    await createControlPlane(operator);
    await operator.untilCondition('Ready', allReady);
    operator.keystone.health = 'without database';
    await clock.advance(minutes(12));
    assert.equal(await operator.condition('KORCReady'), `${notAvailable}: Keystone does not answer a login with it`);
    operator.keystone.health = 'up';
    await clock.advance(minutes(2));
    assert.equal(await operator.condition('Ready'), allReady);
  });

  test('covers what K-ORC says of the credential and of the imports, the domain before the user', async () => {
    await using operator = await startControlPlaneOperator({ observer, wanted: ['keystone'] });
    const { client, clock } = operator.cluster;
    await createCredentials(operator);
    await createControlPlane(operator, { infrastructure: brownfield });
    await clock.settle();
    const said = async () => {
      await clock.settle();
      return await operator.condition('KORCReady');
    };
    const { domain, user, credential } = korcObjects;
    assert.equal(
      await said(),
      `${notAvailable}; admin Domain import "controlplane-domain-default" is not yet Available`,
    );
    await setKorc(client, user, { terminal: '2 users' });
    await setKorc(client, domain, { available: 'default' });
    assert.equal(
      await said(),
      `${notAvailable}; admin User import "controlplane-user-admin" failed terminally: 2 users`,
    );
    await setKorc(client, credential, { terminal: '409' });
    assert.equal(await said(), `${failed}; admin User import "controlplane-user-admin" failed terminally: 2 users`);
    await setKorc(client, user, 'pending');
    assert.equal(await said(), `${failed}; admin User import "controlplane-user-admin" is not yet Available`);
    await setKorc(client, user, { available: 'u1' });
    assert.equal(await said(), failed);
    await setKorc(client, credential, 'pending');
    assert.equal(await said(), notAvailable);
    await setKorc(client, credential, { available: 'c1' });
    assert.match((await said()) ?? '', /^\+ApplicationCredentialMinted: /);
  });
}
