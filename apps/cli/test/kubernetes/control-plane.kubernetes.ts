// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ControlPlane } from '@forge/controlplane/api/control-plane.ts';
import { permissionsOfOthers, rarePermissions } from '@forge/controlplane/test/rare-permissions.ts';
import { PersistentVolumeClaim } from '@forge/kube/kinds/builtin.ts';
import { eventually } from '@forge/testing/programs/eventually.ts';
import { checkMetricsAccess, type ScrapedCluster } from '@forge/testing/programs/scrape-metrics.ts';
import { controlPlaneDemo } from '../../up/control-plane-demo.ts';
import { namespace } from '../../up/demo.ts';
import { credentialLogin } from '../../up/identity.ts';
import { installOperator, operatorInstallation, type OperatorInstallation } from '../../up/install-operator.ts';
import { checkDeletion, checkNamespaceDeletion } from '../control-plane/check-deletion.ts';
import { at, names, operations, second, type Operations } from '../control-plane/cluster.ts';
import { remainsOf } from './control-plane-remains.ts';
import { startKubernetesDemo, whyNoKubernetes, type KubernetesDemo } from './kubernetes-demo.ts';
import { checkNamespaces, listedInstallation, uninstall } from './listed-installation.ts';
import { checkPermissions } from './operator-requests.ts';

const excused = { ...rarePermissions, ...permissionsOfOthers };
const skip = await whyNoKubernetes();
const listedNamespaces = [namespace, 'identity'];

describe('the controlplane operator on a real Kubernetes', { skip, timeout: 1_800_000 }, () => {
  const stack = new AsyncDisposableStack();
  let demo: KubernetesDemo;
  let operator: OperatorInstallation;
  let listed: OperatorInstallation;
  /** With what the webhook filled in: without webhooks, nobody does. */
  let completeSpec: ControlPlane['spec'];
  let cluster: Operations;

  before(async () => {
    operator = await operatorInstallation('controlplane');
    listed = await listedInstallation('controlplane', listedNamespaces);
    demo = stack.use(
      await startKubernetesDemo({
        demo: controlPlaneDemo,
        operators: [await operatorInstallation('keystone'), operator],
        audited: [operator, listed],
        images: [],
        write: (line) => process.stderr.write(line),
        signal: AbortSignal.timeout(900_000),
      }),
    );
    const { client } = demo.cluster;
    const dial = (...target: Parameters<typeof demo.cluster.dial>) => demo.cluster.dial(...target);
    cluster = operations({ client, dial, openbao: demo.openbao });
    completeSpec = (await client.get(ControlPlane, at(namespace))).spec;
  });

  after(() => stack.disposeAsync());

  /** Returns a function that tells whether Keystone accepts the current application credential of consumers. */
  async function currentLogin(): Promise<() => Promise<boolean>> {
    const credential = (await cluster.mirrored(namespace)) ?? assert.fail('there is no clouds.yaml');
    return async () => (await demo.keystone.login(credentialLogin(credential))) !== undefined;
  }

  /** Creates the demo's ControlPlane once more. */
  async function createControlPlane(): Promise<void> {
    const { client } = demo.cluster;
    // A retained volume would have the old root password.
    const volume = at(namespace, `storage-${names.database}-0`);
    await client.delete(PersistentVolumeClaim, volume);
    const isDeleted = async () => (await client.find(PersistentVolumeClaim, volume)) === undefined;
    await eventually('the volume is deleted', isDeleted);
    const { apiVersion, kind } = ControlPlane;
    await client.create(ControlPlane, { apiVersion, kind, metadata: at(namespace), spec: completeSpec });
    await cluster.untilReady(namespace);
  }

  async function replaceCredential(): Promise<void> {
    const isOldAccepted = await currentLogin();
    const old = await cluster.mirrored(namespace);
    await cluster.rotate(namespace);
    await cluster.untilRenewed(namespace, old?.id);
    assert.equal(await isOldAccepted(), false);
  }

  function scraped({ namespace: home, deployment }: OperatorInstallation): ScrapedCluster {
    const { client } = demo.cluster;
    const dial: ScrapedCluster['dial'] = (...target) => demo.cluster.dial(...target);
    return { client, dial, operator: { namespace: home, name: deployment.metadata.name } };
  }

  test('provides a clouds.yaml that Keystone accepts for a new ControlPlane', async () => {
    assert.equal(await (await currentLogin())(), true);
  });

  test('reports the installed release, and refuses an upgrade to any but the next', async () => {
    const { client } = demo.cluster;
    assert.match(await demo.kubectl('-n', namespace, 'get', 'controlplane'), /controlplane +True +2025\.2 /);
    const set = (openStackRelease: string) =>
      client.patch(ControlPlane, at(namespace), 'merge', { spec: { openStackRelease } }, { dryRun: true });
    await assert.rejects(set('2026.2'), /"2025\.2" is installed, .*; set "2026\.1" first/);
    await assert.rejects(set('2025.1'), /downgrade from "2025\.2" to "2025\.1" is not permitted/);
    await set('2026.1');
  });

  test('refuses names of its own generated Secrets, without calling the webhook', async () => {
    const passwordSecretRef = { name: names.passwordCloud };
    const spec = { korc: { adminCredential: { passwordSecretRef } } };
    const refused = demo.cluster.client.patch(ControlPlane, at(namespace), 'merge', { spec }, { dryRun: true });
    await assert.rejects(refused, (error: Error) => {
      assert.doesNotMatch(error.message, /admission webhook/);
      assert.match(
        error.message,
        /Secret controlplane-admin-password-cloud is made by an operator for another purpose/,
      );
      return true;
    });
  });

  test('replaces the credential, and revokes the old one', async () => {
    await replaceCredential();
  });

  test('serves metrics over TLS, and only to authorized clients', async () => {
    await checkMetricsAccess(scraped(operator));
  });

  for (const propagation of ['background', 'foreground'] as const) {
    test(`is deleted in the ${propagation} with everything that belongs to it, and its credential revoked`, async () => {
      const { client } = demo.cluster;
      const flags = [`--cascade=${propagation}`, '--wait=false'];
      await checkDeletion({ client, cluster, namespace }, () =>
        demo.kubectl('-n', namespace, 'delete', 'controlplane', names.controlPlane, ...flags),
      );
      const remains = () => remainsOf(client, namespace);
      await eventually('nothing is left', async () => (await remains()).length === 0, {
        minutes: 1,
        observed: remains,
      });
      if (propagation === 'background') await createControlPlane();
    });
  }

  test('is deleted with its namespace, its credential revoked or named', async () => {
    await cluster.create(second);
    await cluster.untilReady(second);
    await checkNamespaceDeletion(demo.cluster.client, cluster, second);
  });

  test('needs no permission that its manifests do not grant, and uses those that they grant', async (context) => {
    await checkPermissions(context, operator, { auditLog: demo.cluster.auditLog, excused });
  });

  test('does the same within listed namespaces, by the Roles there', async (context) => {
    const { client, auditLog } = demo.cluster;
    await uninstall(operator, client);
    await installOperator(listed, client);
    await createControlPlane();
    await replaceCredential();
    await checkMetricsAccess(scraped(listed));
    await client.delete(ControlPlane, at(namespace), { propagation: 'Background' });
    const remains = () => remainsOf(client, namespace);
    await eventually('nothing is left', async () => (await remains()).length === 0, { minutes: 2, observed: remains });
    await checkPermissions(context, listed, { auditLog, excused });
    await checkNamespaces(listed, { auditLog, namespaces: listedNamespaces });
  });
});
