// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiServer } from '@forge/apiserver/api-server.ts';
import { inProcessTransport } from '@forge/apiserver/wire/in-process-transport.ts';
import { ControlPlane } from '@forge/controlplane/api/control-plane.ts';
import { controlPlaneFixture, home } from '@forge/controlplane/test/control-plane-fixture.ts';
import { Keystone } from '@forge/keystone/api/keystone.ts';
import { client } from '@forge/kube/client/client.ts';
import { CustomResourceDefinition, Deployment, Namespace, Node, Pod } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import { refOf } from '@forge/kube/objects/object.ts';
import { ExternalSecret, PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import { Domain } from '@forge/kube/third-party/korc.ts';
import { seededRandom } from '@forge/runtime/environment/seeded-random.ts';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { keystoneDemo as demo } from '../up/keystone-demo.ts';
import { clusterStatus } from './cluster-status.ts';
import { statusText } from './status-text.ts';

const place = {
  server: 'https://127.0.0.1:1',
  pid: 7,
  standIns: ['external-secrets'],
  logsDir: '/data/logs',
  forgeLog: '/data/logs/forge.log',
  operatorNamespace: 'forge-system',
};
const { namespace } = demo;

test('the status reports what waits for what, failed key backups, features that are not enforced, and the paths of logs', async () => {
  const clock = virtualClock();
  const server = await apiServer({ clock, random: seededRandom() });
  const kube = client(inProcessTransport(server));
  assert.deepEqual((await clusterStatus(kube, place)).resources, [], 'no kind of an operator is installed');

  for (const kind of [ControlPlane, Keystone, PushSecret, ExternalSecret])
    await kube.create(CustomResourceDefinition, crdOf(kind));
  await clock.settle();
  await kube.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  for (const { kind, object } of demo.manifests('http://127.0.0.1:1/v3')) {
    if (kind.kind === Keystone.kind) await kube.create(kind, object);
  }
  await kube.create(ControlPlane, controlPlaneFixture());
  const time = '2026-01-01T00:00:00Z';
  const condition = (type: string, status: 'True' | 'False', reason: string, message: string) => ({
    type,
    status,
    reason,
    message,
    lastTransitionTime: time,
  });
  const failed = (reason: string, message: string) => ({ conditions: [condition('Ready', 'False', reason, message)] });
  const keystone = { namespace, name: demo.keystone };
  const found = condition('SecretsReady', 'True', 'Found', 'all are there');
  const keystoneStatus = {
    conditions: [found, condition('DatabaseReady', 'False', 'DBSyncFailed', 'db_sync job failed')],
  };
  await kube.patch(Keystone, keystone, 'merge', { status: keystoneStatus }, { subresource: 'status' });
  const conditions = [condition('InfrastructureReady', 'False', 'WaitingForDatabase', 'MariaDB is not ready')];
  await kube.patch(ControlPlane, home, 'merge', { status: { conditions } }, { subresource: 'status' });
  const backup = { namespace, name: `${demo.keystone}-fernet-keys-backup` };
  const spec = { secretStoreRefs: [], selector: { secret: { name: 'keys' } }, data: [] };
  await kube.create(PushSecret, {
    apiVersion: PushSecret.apiVersion,
    kind: 'PushSecret',
    metadata: backup,
    spec,
  });
  const secret = demo.secretManifests().find(({ kind }) => kind.kind === ExternalSecret.kind)?.object ?? assert.fail();
  await kube.create(ExternalSecret, secret as ExternalSecret);
  const notSynced = failed('SecretSyncedError', 'not synced');
  await kube.patch(ExternalSecret, refOf(secret), 'merge', { status: notSynced }, { subresource: 'status' });
  const pushFailed = failed('Errored', 'the store is sealed');
  const other = { namespace, name: 'mine' };
  await kube.create(PushSecret, {
    apiVersion: PushSecret.apiVersion,
    kind: 'PushSecret',
    metadata: { ...other },
    spec,
  });
  const noSource = failed('Errored', 'could not get source secret');
  await kube.patch(PushSecret, other, 'merge', { status: noSource }, { subresource: 'status' });
  await kube.patch(PushSecret, backup, 'merge', { status: pushFailed }, { subresource: 'status' });
  const containers = [{ name: 'web', image: 'a' }];
  const pod = await kube.create(Pod, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace, name: 'web' },
    spec: { containers },
  });

  const status = await clusterStatus(kube, place);
  const text = statusText(status);
  const { summary } = JSON.parse(JSON.stringify(status)) as typeof status;
  assert.equal(summary.state, 'failed');
  assert.deepEqual(
    summary.failed.map(({ of }) => of),
    [
      'Keystone openstack/keystone',
      'ExternalSecret openstack/keystone-db',
      'PushSecret openstack/mine',
      'PushSecret openstack/keystone-fernet-keys-backup',
    ],
  );
  assert.deepEqual(
    summary.waiting.map(({ of }) => of),
    ['ControlPlane openstack/controlplane', 'Pod openstack/web'],
  );
  assert.ok(
    text.startsWith(`✖ 4 failed, 2 waiting
  ✖ Keystone openstack/keystone: DatabaseReady DBSyncFailed: db_sync job failed
  ✖ ExternalSecret openstack/keystone-db: not synced
  ✖ PushSecret openstack/mine: could not get source secret
  ✖ PushSecret openstack/keystone-fernet-keys-backup: Errored: the store is sealed
  · ControlPlane openstack/controlplane: InfrastructureReady WaitingForDatabase: MariaDB is not ready
  · Pod openstack/web: Pending, 0/1 containers ready

Components
`),
    text,
  );
  assert.match(text, /· ControlPlane openstack\/controlplane: not reconciled yet/);
  assert.match(text, /· InfrastructureReady +False +WaitingForDatabase: MariaDB is not ready/);
  assert.match(text, /· KeystoneReady +Unknown +waits for InfrastructureReady, DBCredentialsReady, AdminPasswordReady/);
  assert.match(text, /✖ Keystone openstack\/keystone/);
  assert.match(text, /✔ +external-secrets +stand-in, in process 7/);
  assert.match(text, /✖ ExternalSecret openstack\/keystone-db: not synced/);
  assert.match(text, /✔ SecretsReady +True +Found: all are there/);
  assert.match(text, /✖ DatabaseReady +False +DBSyncFailed: db_sync job failed/);
  assert.match(text, /· PolicyValidReady +Unknown +waits for DatabaseReady/);
  assert.match(text, /✖ +openstack\/keystone-fernet-keys-backup +Errored: the store is sealed/);
  assert.match(text, /✖ PushSecret openstack\/mine: could not get source secret/);
  assert.ok(!status.resources.some(({ name }) => name === backup.name), 'a backup of keys is listed once');
  assert.match(text, /priority of pods +no pod is preempted/);
  assert.doesNotMatch(
    text,
    /NetworkPolicy, without nftables/,
    'no condition reports that this machine cannot enforce them',
  );
  assert.match(text, /forge +\/data\/logs\/forge\.log/);
  assert.ok(text.includes(`/data/logs/openstack_web_${pod.metadata.uid}`), text);
  await server.close();
});

test('an operator is ok when all its pods are ready, a resource of K-ORC when it is Available', async () => {
  const clock = virtualClock();
  const server = await apiServer({ clock, random: seededRandom() });
  const kube = client(inProcessTransport(server));
  await kube.create(CustomResourceDefinition, crdOf(Domain));
  await clock.settle();
  const { operatorNamespace } = place;
  await kube.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: operatorNamespace } });
  const operator = { namespace: operatorNamespace, name: 'keystone-operator' };
  const labels = { app: 'operator' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'operator', image: 'operator:1' }] } };
  await kube.create(Deployment, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: operator,
    spec: { replicas: 2, selector: { matchLabels: labels }, template },
  });
  const setReady = (readyReplicas: number) =>
    kube.patch(
      Deployment,
      operator,
      'merge',
      { status: { replicas: 2, readyReplicas, availableReplicas: readyReplicas } },
      { subresource: 'status' },
    );
  const domain = { namespace: operatorNamespace, name: 'default' };
  await kube.create(Domain, {
    apiVersion: Domain.apiVersion,
    kind: 'Domain',
    metadata: domain,
    spec: {
      cloudCredentialsRef: { cloudName: 'admin', secretName: 'clouds' },
      managementPolicy: 'unmanaged',
      import: { filter: { name: 'Default' } },
    },
  });
  const lastTransitionTime = '2026-01-01T00:00:00Z';
  const available = {
    type: 'Available',
    status: 'True',
    reason: 'Success',
    message: 'is available',
    lastTransitionTime,
  };
  await kube.patch(Domain, domain, 'merge', { status: { conditions: [available] } }, { subresource: 'status' });
  await setReady(1);
  const shown = async () => statusText(await clusterStatus(kube, place));
  assert.match(await shown(), /· +keystone-operator +1 of 2 pods ready, image operator:1/);
  assert.match(await shown(), /✔ Domain forge-system\/default: is available/);
  await setReady(2);
  assert.match(await shown(), /^✔ Everything is ready\n[^]*✔ +keystone-operator +2 of 2 pods ready/);

  await kube.patch(Domain, domain, 'merge', { metadata: { finalizers: ['test.forge/held'] } });
  await kube.delete(Domain, domain);
  assert.match(await shown(), /^· 1 waiting\n {2}· Domain forge-system\/default: is being deleted\n/);
  const long = { ...available, status: 'False', reason: 'TransientError', message: 'x'.repeat(1000) };
  await kube.patch(Domain, domain, 'merge', { status: { conditions: [long] } }, { subresource: 'status' });
  assert.match(
    await shown(),
    /^✖ 1 failed\n {2}✖ Domain forge-system\/default: is being deleted; .*xxx…\n[^]* x{1000}/,
  );
  await server.close();
});

test('the status reports that NetworkPolicies are not enforced when the node cannot', async () => {
  const server = await apiServer({ clock: virtualClock(), random: seededRandom() });
  const kube = client(inProcessTransport(server));
  const conditions = [{ type: 'NetworkPolicyEnforced', status: 'False', reason: 'NoPacketFilter', message: 'no nft' }];
  await kube.create(Node, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'forge' }, spec: {} });
  await kube.patch(Node, { name: 'forge' }, 'merge', { status: { conditions } }, { subresource: 'status' });
  assert.match(
    statusText(await clusterStatus(kube, place)),
    /NetworkPolicy, without nftables +every pod reaches every pod and Service/,
  );
  await server.close();
});
