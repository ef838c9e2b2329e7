// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { eventually } from '@forge/cluster/node/test/eventually.ts';
import { ControlPlane } from '@forge/controlplane/control-plane.ts';
import { permissionsOfOthers, rarePermissions } from '@forge/controlplane/test/rare-permissions.ts';
import { PersistentVolumeClaim } from '@forge/kube/kinds/builtin.ts';
import { controlPlaneDemo } from '../../up/control-plane-demo.ts';
import { namespace } from '../../up/demo.ts';
import { credentialLogin } from '../../up/identity.ts';
import { operatorInstallation, type OperatorInstallation } from '../../up/install-operator.ts';
import { at, names, operations } from '../control-plane/cluster.ts';
import { checkMetricsAccess } from '../scrape-metrics.ts';
import { remainsOf } from './control-plane-remains.ts';
import { startKubernetesDemo, whyNoKubernetes, type KubernetesDemo } from './kubernetes-demo.ts';
import { checkPermissions } from './operator-requests.ts';

const excused = { ...rarePermissions, ...permissionsOfOthers };
const skip = await whyNoKubernetes();

describe('the controlplane operator on a real Kubernetes', { skip, timeout: 1_200_000 }, () => {
  const stack = new AsyncDisposableStack();
  let demo: KubernetesDemo;
  let operator: OperatorInstallation;
  let cluster: ReturnType<typeof operations>;

  before(async () => {
    operator = await operatorInstallation('controlplane');
    demo = stack.use(
      await startKubernetesDemo({
        demo: controlPlaneDemo,
        operators: [await operatorInstallation('keystone'), operator],
        audited: [operator],
        images: [],
        write: (line) => process.stderr.write(line),
        signal: AbortSignal.timeout(900_000),
      }),
    );
    const { client } = demo.cluster;
    const dial = (...target: Parameters<typeof demo.cluster.dial>) => demo.cluster.dial(...target);
    cluster = operations({ client, dial, openbao: demo.openbao });
  });

  after(() => stack.disposeAsync());

  /** Whether Keystone accepts the application credential that consumers have now. */
  async function currentLogin(): Promise<() => Promise<boolean>> {
    const credential = (await cluster.mirrored(namespace)) ?? assert.fail('there is no clouds.yaml');
    return async () => (await demo.keystone.login(credentialLogin(credential))) !== undefined;
  }

  test('brings a new ControlPlane to a clouds.yaml that Keystone accepts', async () => {
    assert.equal(await (await currentLogin())(), true);
  });

  test('shows the installed release, and refuses one that is not the next', async () => {
    const { client } = demo.cluster;
    assert.match(await demo.kubectl('-n', namespace, 'get', 'controlplane'), /controlplane +True +2025\.2 /);
    const set = (openStackRelease: string) =>
      client.patch(ControlPlane, at(namespace), 'merge', { spec: { openStackRelease } }, { dryRun: true });
    await assert.rejects(set('2026.2'), /"2025\.2" is installed, .*; set "2026\.1" first/);
    await assert.rejects(set('2025.1'), /downgrade from "2025\.2" to "2025\.1" is not permitted/);
    await set('2026.1');
  });

  test('refuses names of Secrets that are made for it, without asking the webhook', async () => {
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

  test('replaces the credential, and has the old one revoked', async () => {
    const isOldAccepted = await currentLogin();
    const old = await cluster.mirrored(namespace);
    await cluster.rotate(namespace);
    await cluster.untilRenewed(namespace, old?.id);
    assert.equal(await isOldAccepted(), false);
  });

  test('serves metrics over TLS to those alone who may get them', async () => {
    const { client } = demo.cluster;
    const dial = (...target: Parameters<typeof demo.cluster.dial>) => demo.cluster.dial(...target);
    const { namespace: home, deployment } = operator;
    await checkMetricsAccess({ client, dial, operator: { namespace: home, name: deployment.metadata.name } });
  });

  for (const propagation of ['background', 'foreground'] as const) {
    test(`is deleted in the ${propagation} with everything that belongs to it, and its credential revoked or named`, async () => {
      const { client } = demo.cluster;
      const { spec } = await client.get(ControlPlane, at(namespace));
      const isAccepted = await currentLogin();
      const answers: string[] = [];
      await demo.kubectl(
        '-n',
        namespace,
        'delete',
        'controlplane',
        names.controlPlane,
        `--cascade=${propagation}`,
        '--wait=false',
      );
      const isGone = async () => {
        answers.push(await isAccepted().then(String, () => 'none'));
        return (await client.find(ControlPlane, at(namespace))) === undefined;
      };
      await eventually('the ControlPlane is gone', isGone, {
        minutes: 1,
        observed: () => cluster.conditionOf(namespace, 'KORCReady'),
      });
      // In the foreground, Keystone may be gone before anybody can revoke it: then an Event names the credential.
      const isNamed = propagation === 'foreground' && (await cluster.eventsOf(namespace, 'CredentialNotRevoked')) === 1;
      const last = answers.filter((answer) => answer !== 'none').at(-1);
      assert.ok(last === 'false' || isNamed, answers.join(' '));
      assert.equal(await cluster.eventsOf(namespace, 'ORCTeardownStalled'), 0);
      const remains = () => remainsOf(client, namespace);
      await eventually('nothing is left', async () => (await remains()).length === 0, {
        minutes: 1,
        observed: remains,
      });
      if (propagation === 'foreground') return;
      // A kept volume would have the old root password.
      const volume = at(namespace, `storage-${names.database}-0`);
      await client.delete(PersistentVolumeClaim, volume);
      await eventually(
        'the volume is gone',
        async () => (await client.find(PersistentVolumeClaim, volume)) === undefined,
      );
      const { apiVersion, kind } = ControlPlane;
      await client.create(ControlPlane, { apiVersion, kind, metadata: at(namespace), spec });
      await cluster.untilReady(namespace);
    });
  }

  test('needs no permission that its manifests do not grant, and uses those that they grant', async (context) => {
    await checkPermissions(context, operator, { auditLog: demo.cluster.auditLog, excused });
  });
});
