// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import type { CatalogObserver } from '@forge/runtime/conditions/condition-catalog.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import {
  backupName,
  cloudsYamlName,
  createMinted,
  credentialName,
  nudge,
  setSynced,
  textIn,
} from '../credential-steps.ts';
import { refusedRequests } from '../refused-requests.ts';
import { korcObjects, setKorc } from '../script-korc.ts';
import { allReady, startControlPlaneOperator, createControlPlane, secret } from '../start-control-plane-operator.ts';

const stuck =
  'CloudsYamlSyncStuck: materialized k-orc clouds.yaml has not matched the assembled application credential for over 15m0s; the ESO ExternalSecret or OpenBao backend may be unable to sync — manual intervention required';
const stale =
  'WaitingForCloudsYamlSync: materialized k-orc clouds.yaml does not yet match the assembled application credential; awaiting ESO re-sync';
const storeNotReady =
  'SecretStoreNotReady: ClusterSecretStore "openbao-cluster-store" is not ready; upstream secret backend unreachable';

/** What is reported about the clouds.yaml with the credential, on its way to OpenBao and back. */
export function adminCredentialFlows(observer: CatalogObserver): void {
  test('covers the way of the credential to OpenBao and back, gate by gate', async () => {
    await using operator = await startControlPlaneOperator({ observer, wanted: ['keystone'] });
    const { client, clock } = operator.cluster;
    const said = async () => {
      await clock.settle();
      return await operator.condition('AdminCredentialReady');
    };
    await createMinted(operator);
    assert.equal(await said(), storeNotReady);
    await setKorc(client, korcObjects.credential, 'pending');
    assert.equal(await said(), 'WaitingForKORC: KORCReady is not True; admin credential push deferred');
    await setKorc(client, korcObjects.credential, { available: '' });
    await setSynced(operator, 'store');
    assert.equal(await said(), 'WaitingForCredentialID: minted application credential id is not yet reported by K-ORC');
    await setKorc(client, korcObjects.credential, { available: 'c1' });
    assert.equal(await said(), 'WaitingForPushSecret: admin app-credential PushSecret has not synced to OpenBao yet');
    await setSynced(operator, 'push');
    assert.equal(await said(), 'WaitingForCloudsYaml: k-orc clouds.yaml ExternalSecret is not yet Ready');
    await setSynced(operator, 'sync');
    const absent = 'k-orc clouds.yaml Secret has not yet materialized the assembled application credential';
    assert.equal(await said(), `WaitingForCloudsYamlSync: ${absent}`);

    await client.create(Secret, secret(cloudsYamlName.name, { 'clouds.yaml': 'clouds: {}' }));
    assert.equal(await said(), stale);
    await clock.advance(minutes(14));
    assert.equal(await said(), stale);
    await clock.advance(minutes(2));
    assert.equal(await said(), stuck);
    const document = Buffer.from((await textIn(operator, credentialName.name)) ?? '').toString('base64');
    await client.patch(Secret, cloudsYamlName, 'merge', { data: { 'clouds.yaml': document } });
    assert.equal(await said(), '+AdminCredentialReady: Admin application credential committed and mirrored to OpenBao');
  });

  for (const [what, pattern, text] of [
    [
      'document',
      /PATCH .*\/secrets\/controlplane-admin-app-credential$/,
      /^SecretError: assembling admin app-credential clouds.yaml: /,
    ],
    ['stamp', /PATCH .*\/pushsecrets\//, /^PushSecretError: forcing admin app-credential PushSecret re-push: /],
    [
      'trigger',
      /PATCH .*\/externalsecrets\/k-orc-clouds-yaml$/,
      /^CloudsYamlError: forcing k-orc clouds.yaml ExternalSecret re-sync: /,
    ],
  ] as const) {
    test(`covers the refusal of the ${what} of a new credential`, async () => {
      const refused = refusedRequests();
      await using operator = await startControlPlaneOperator({ observer, ...refused });
      const { clock } = operator.cluster;
      await createControlPlane(operator);
      await operator.untilCondition('Ready', allReady);
      await operator.neighbours.korc.stop();
      await nudge(operator);
      await clock.settle();
      // The new secret is written: from now on only the document is refused.
      refused.pattern = pattern;
      await operator.neighbours.korc.start();
      await clock.until(async () => text.test((await operator.condition('AdminCredentialReady')) ?? ''));
      assert.match((await operator.condition('KORCReady')) ?? '', /^\+/);
      refused.pattern = undefined;
      await operator.untilCondition('Ready', allReady);
    });
  }

  test('covers a clouds.yaml that must not be read when the credential is about to be called ready', async () => {
    const refused = refusedRequests();
    refused.pattern = /GET .*\/secrets\/k-orc-clouds-yaml$/;
    await using operator = await startControlPlaneOperator({ observer, ...refused });
    await createControlPlane(operator);
    const text = /^CloudsYamlError: reading materialized k-orc clouds.yaml Secret: /;
    await operator.cluster.clock.until(async () => text.test((await operator.condition('AdminCredentialReady')) ?? ''));
    refused.pattern = undefined;
    await operator.untilCondition('Ready', allReady);
  });

  test('covers a PushSecret that was deleted and is refused', async () => {
    const refused = refusedRequests();
    await using operator = await startControlPlaneOperator({ observer, ...refused });
    const { client, clock } = operator.cluster;
    await createControlPlane(operator);
    await operator.untilCondition('Ready', allReady);
    refused.pattern = /PATCH .*\/pushsecrets\//;
    await client.delete(PushSecret, backupName);
    await clock.settle();
    assert.match(
      (await operator.condition('AdminCredentialReady')) ?? '',
      /^PushSecretError: ensuring admin app-credential PushSecret: /,
    );
    refused.pattern = undefined;
    await operator.untilCondition('Ready', allReady);
  });

  for (const [what, lose, text] of [
    ['Secret', 'all', 'app-credential secret "controlplane-admin-app-credential" does not exist yet'],
    [
      'value',
      'value',
      'app-credential secret "controlplane-admin-app-credential" has no "value" key (mint not complete?)',
    ],
  ] as const) {
    test(`covers a ${what} that is lost while the credential is tried, and heals`, async () => {
      // The next pass runs before the condition can be observed.
      const said: string[] = [];
      const noting: CatalogObserver = {
        event: (observed) => observer.event(observed),
        condition(observed) {
          said.push(observed.message);
          observer.condition(observed);
        },
      };
      await using operator = await startControlPlaneOperator({ observer: noting });
      const { client, clock } = operator.cluster;
      await createControlPlane(operator);
      await operator.untilCondition('Ready', allReady);
      operator.keystone.latency = seconds(3);
      const tries = operator.keystone.requests.length;
      // The password is tried first.
      await clock.until(() => operator.keystone.requests.length > tries + 1);
      await (lose === 'all'
        ? client.delete(Secret, credentialName)
        : client.patch(Secret, credentialName, 'merge', { data: { value: null } }));
      operator.keystone.latency = seconds(0);
      await clock.until(() => said.includes(text));
      await operator.untilCondition('Ready', allReady);
    });
  }
}
