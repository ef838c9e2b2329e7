// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ApiRequest } from '@forge/kube/client/transport.ts';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { ExternalSecret, PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import { ApplicationCredential, Endpoint } from '@forge/kube/third-party/korc.ts';
import { pushContentHashAnnotation } from '@forge/openstack/secret-store.ts';
import { milliseconds, minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { ControlPlane } from '../api/control-plane.ts';
import { pendingSince } from '../objects/credential/pending-since.ts';
import { home } from '../test/control-plane-fixture.ts';
import {
  at,
  backupName,
  cloudsYamlName,
  createMinted,
  credentialName,
  nudge,
  readyControlPlane,
  reconcileAt,
  setSynced,
  textIn,
  waitingForKorc,
} from '../test/credential-steps.ts';
import { paths } from '../test/neighbours.ts';
import { korcObjects, setKorc } from '../test/script-korc.ts';
import { allReady, startControlPlaneOperator, secret } from '../test/start-control-plane-operator.ts';

describe('the sync of clouds.yaml', () => {
  test('is stuck when it takes longer than fifteen minutes, and not when it takes just as long', async () => {
    await using operator = await startControlPlaneOperator({ wanted: ['keystone'] });
    const { client, clock } = operator.cluster;
    await createMinted(operator);
    for (const what of ['store', 'push', 'sync'] as const) await setSynced(operator, what);
    await client.create(Secret, secret(cloudsYamlName.name, { 'clouds.yaml': 'clouds: {}' }));
    await clock.settle();
    const limit = (pendingSince(await operator.controlPlane()) ?? 0) + minutes(15);
    await operator.stop();
    await clock.advance(milliseconds(limit - clock.now()));
    await operator.start();
    await clock.settle();
    assert.match((await operator.condition('AdminCredentialReady')) ?? '', /^WaitingForCloudsYamlSync: /);
    await reconcileAt(operator, limit + 1);
    assert.match((await operator.condition('AdminCredentialReady')) ?? '', /^CloudsYamlSyncStuck: /);
  });

  test('waits for a credential that K-ORC calls available: an id alone is not enough', async () => {
    await using operator = await waitingForKorc();
    const { client, clock } = operator.cluster;
    const name = credentialName.name;
    const document = await textIn(operator, name);
    await client.patch(
      ApplicationCredential,
      credentialName,
      'merge',
      { status: { id: 'c1' } },
      { subresource: 'status' },
    );
    await clock.settle();
    assert.equal(await textIn(operator, name), document);
    await setKorc(client, { kind: ApplicationCredential, name }, { available: 'c1' });
    await clock.settle();
    assert.match((await textIn(operator, name)) ?? '', /application_credential_id: "c1"/);
  });

  test('is not called complete by a cache that is late: the Secret is read live', async () => {
    const said: string[] = [];
    const observer = { condition: ({ reason }: { reason: string }) => void said.push(reason), event: () => {} };
    let isChanged = false;
    const before = async ({ method, path }: ApiRequest) => {
      if (method !== 'GET' || !path.endsWith(`/secrets/${cloudsYamlName.name}`)) return;
      isChanged = true;
      await client.patch(Secret, cloudsYamlName, 'merge', { data: { 'clouds.yaml': btoa('clouds: {}') } });
    };
    await using operator = await startControlPlaneOperator({ wanted: ['keystone'], observer, before });
    const { client, clock } = operator.cluster;
    await createMinted(operator);
    for (const what of ['store', 'push', 'sync'] as const) await setSynced(operator, what);
    const document = (await textIn(operator, credentialName.name)) ?? '';
    await client.create(Secret, secret(cloudsYamlName.name, { 'clouds.yaml': document }));
    await clock.settle();
    assert.ok(isChanged);
    assert.ok(!said.includes('AdminCredentialReady'), said.join(' '));
  });

  test('keeps the catalog untouched in an outage of the store while the old credential is in place', async () => {
    await using operator = await readyControlPlane();
    const { client, clock } = operator.cluster;
    await operator.neighbours.externalSecrets.stop();
    await nudge(operator);
    await clock.advance(seconds(15));
    await setSynced(operator, 'store', 'False');
    const services = { keystone: { publicEndpoint: 'https://keystone.example.com/v3' } };
    await client.patch(ControlPlane, home, 'merge', { spec: { services } });
    await clock.advance(seconds(30));
    assert.match((await operator.condition('AdminCredentialReady')) ?? '', /^SecretStoreNotReady: /);
    assert.match((await operator.condition('CatalogReady')) ?? '', /^WaitingForAdminCredential: /);
    const { spec } = await client.get(Endpoint, at(korcObjects.endpoint.name));
    assert.equal(spec.resource?.url, 'http://controlplane-keystone.openstack.svc:5000/v3');
  });

  test('is repeated while it fails, although the Secret has the document from before', async () => {
    await using operator = await readyControlPlane();
    const { client, clock } = operator.cluster;
    const request = `GET ${paths.applicationCredential.replace('kv-v2/', 'kv-v2/data/')}`;
    operator.vault.forbids = (asked) => asked === request;
    await client.patch(ExternalSecret, cloudsYamlName, 'merge', { metadata: { labels: { now: '1' } } });
    await clock.settle();
    assert.match((await operator.condition('AdminCredentialReady')) ?? '', /^WaitingForCloudsYaml: /);
    await clock.advance(seconds(75));
    const { annotations } = (await client.get(PushSecret, backupName)).metadata;
    assert.match(annotations?.[pushContentHashAnnotation] ?? '', /^[0-9a-f]+-1-/);
  });

  test('waits for the next credential when the document changes together with it: the old one is being revoked', async () => {
    await using operator = await readyControlPlane();
    const { client, clock } = operator.cluster;
    operator.writes();
    const cloudCredentialsRef = { cloudName: 'forge' };
    const korc = { adminCredential: { cloudCredentialsRef, applicationCredential: { restricted: false } } };
    await client.patch(ControlPlane, home, 'merge', { spec: { korc } });
    await clock.settle();
    await operator.untilCondition('Ready', allReady);
    assert.match((await textIn(operator, cloudsYamlName.name)) ?? '', /^clouds:\n {2}forge:\n/);
    const stamps = operator.writes().filter((write) => write === `PATCH pushsecrets/${backupName.name}`);
    assert.equal(stamps.length, 1);
  });
});
