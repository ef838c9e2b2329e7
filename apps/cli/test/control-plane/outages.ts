// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { Deployment, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import { seededRandom } from '@forge/runtime/environment/seeded-random.ts';
import { eventually } from '@forge/testing/programs/eventually.ts';
import { openbao } from '../../openbao/openbao-objects.ts';
import { namespace } from '../../up/demo.ts';
import { operatorNamespace } from '../../up/install-operator.ts';
import { at, names, type ControlPlaneCluster } from './cluster.ts';

/** How often an operator is killed; the times are random, from a seed. */
const kills = Number(process.env['FORGE_KILLS'] ?? 5);

/** Tests renewals of the credential during which a component is down. */
export function testOutages(cluster: () => ControlPlaneCluster): void {
  test('renews its credential when K-ORC is stopped in the middle of it', async () => {
    const former = await cluster().mirrored(namespace);
    await cluster().standIns.stop('korc');
    await cluster().rotate(namespace);
    await cluster().untilReason(namespace, 'KORCReady', 'ReMinting');
    await cluster().standIns.start('korc');
    await cluster().untilRenewed(namespace, former?.id);
  });

  test('renews its credential when External Secrets is stopped in the middle of it', async () => {
    const former = await cluster().mirrored(namespace);
    await cluster().standIns.stop('external-secrets');
    await cluster().rotate(namespace);
    await cluster().untilReason(namespace, 'AdminCredentialReady', 'WaitingForCloudsYamlSync', 'WaitingForPushSecret');
    await cluster().standIns.start('external-secrets');
    await cluster().untilRenewed(namespace, former?.id);
  });

  test('renews its credential when OpenBao is down in the middle of it', async () => {
    const former = await cluster().mirrored(namespace);
    await cluster().scale(StatefulSet, { namespace: openbao.namespace, name: openbao.name }, 0);
    await cluster().rotate(namespace);
    const reasons = ['SecretStoreNotReady', 'WaitingForPushSecret', 'WaitingForCloudsYaml', 'WaitingForCloudsYamlSync'];
    await cluster().untilReason(namespace, 'AdminCredentialReady', ...reasons);
    await cluster().scale(StatefulSet, { namespace: openbao.namespace, name: openbao.name }, 1);
    await cluster().untilRenewed(namespace, former?.id);
  });

  test('renews its credential when Keystone is down in the middle of it', async () => {
    const former = await cluster().mirrored(namespace);
    const operator = { namespace: operatorNamespace, name: 'keystone-operator' };
    await cluster().scale(Deployment, operator, 0);
    const isStopped = async () => ((await cluster().client.get(Deployment, operator)).status?.replicas ?? 0) === 0;
    await eventually('no controller would start it again', isStopped);
    await cluster().scale(Deployment, at(namespace, names.keystone), 0);
    await eventually('Keystone is down', async () => (await cluster().login(namespace)) === 'unavailable');
    await cluster().rotate(namespace);
    await cluster().untilReason(namespace, 'KORCReady', 'ReMinting');
    await cluster().scale(Deployment, operator, 1);
    await cluster().untilRenewed(namespace, former?.id);
  });

  test(`renews its credential when operators are killed at ${kills} random times`, async () => {
    const random = seededRandom(18);
    for (let kill = 0; kill < kills; kill += 1) {
      const former = await cluster().mirrored(namespace);
      await cluster().rotate(namespace);
      await setTimeout(random.number() * 2000);
      // Both alternate, so that neither waits long for its restart.
      await cluster().kill(kill % 3 === 2 ? 'keystone-operator' : 'c5c3-operator');
      await cluster().untilRenewed(namespace, former?.id);
      assert.equal((await cluster().credentials(namespace)).length, 1);
    }
  });
}
