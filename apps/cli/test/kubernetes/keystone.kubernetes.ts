// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, before, describe, test, type TestContext } from 'node:test';
import { Keystone } from '@forge/keystone/api/keystone.ts';
import { permissionsOfOthers, rarePermissions } from '@forge/keystone/test/rare-permissions.ts';
import { Job, Lease } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import { HTTPRoute } from '@forge/kube/third-party/gateway.ts';
import { eventually } from '@forge/testing/programs/eventually.ts';
import { checkMetricsAccess, type ScrapedCluster } from '@forge/testing/programs/scrape-metrics.ts';
import { installOperator, parseInstallation, type OperatorInstallation } from '../../up/install-operator.ts';
import { keystoneDemo as names } from '../../up/keystone-demo.ts';
import { secretLeaks } from '../keystone/secret-leaks.ts';
import { isWrite, readAuditLog } from './audit-log.ts';
import { doubleWrites } from './double-writes.ts';
import { deleteKeystone, keystonePods, login, rotateFernetKeys, toggleOptionalParts, untilReady } from './flows.ts';
import { killPodProcess } from './kill-pod-process.ts';
import { startKubernetesDemo, whyNoKubernetes, type KubernetesDemo } from './kubernetes-demo.ts';
import { checkNamespaces, listedInstallation, manifestOf, uninstall } from './listed-installation.ts';
import { accountOf, checkPermissions, requestsOf } from './operator-requests.ts';

const { namespace, keystone: name } = names;
const ref = { namespace, name };
const skip = await whyNoKubernetes();
const newRelease = '2026.1';
const listedNamespaces = [namespace, 'identity'];
const excused = { ...rarePermissions, ...permissionsOfOthers };

describe('the keystone operator on a real Kubernetes', { skip, timeout: 1_800_000 }, () => {
  const stack = new AsyncDisposableStack();
  let demo: KubernetesDemo;
  let operator: OperatorInstallation;
  let namespaced: OperatorInstallation;
  let listed: OperatorInstallation;

  before(async () => {
    operator = parseInstallation('keystone', await manifestOf('keystone', 'install.yaml'));
    const text = await manifestOf('keystone', 'install-namespaced.yaml');
    namespaced = parseInstallation('keystone', text.replaceAll('forge-system', namespace));
    listed = await listedInstallation('keystone', listedNamespaces);
    const options = {
      demo: names,
      operators: [operator],
      audited: [operator, namespaced, listed],
      images: [`c5c3/keystone:${newRelease}`],
      write: (line: string) => process.stderr.write(line),
      signal: AbortSignal.timeout(900_000),
    };
    demo = stack.use(await startKubernetesDemo(options));
  });

  after(() => stack.disposeAsync());

  test('brings up a new Keystone that issues tokens', async () => {
    await login(demo);
  });

  test('logs and exec work through kube-apiserver', async () => {
    assert.match(await demo.kubectl('-n', namespace, 'logs', `deploy/${name}`), /GET \/v3/);
    assert.match(await demo.kubectl('-n', operator.namespace, 'logs', 'deploy/keystone-operator'), /keystone/);
    const [pod = ''] = await keystonePods(demo);
    const version = await demo.kubectl('-n', namespace, 'exec', pod, '--', 'sh', '-c', 'echo "$HOSTNAME"');
    assert.equal(version.trim(), pod);
  });

  test('rotates Fernet keys by a Job from the CronJob, and is the only writer of the production Secret', async () => {
    await rotateFernetKeys(demo);
    const writers = (await readAuditLog(demo.cluster.auditLog))
      .filter((entry) => isWrite(entry) && entry.objectRef?.name === `${name}-fernet-keys`)
      .map(({ user }) => user.username);
    assert.deepEqual(new Set(writers), new Set([`system:serviceaccount:${accountOf(operator)}`]));
  });

  test('creates and deletes optional parts', async () => {
    await toggleOptionalParts(demo);
  });

  test('upgrades although the leader of two replicas is killed, and nothing is written twice', async () => {
    const { client } = demo.cluster;
    const token = await login(demo);
    await client.patch(Keystone, ref, 'merge', { spec: { image: { tag: newRelease } } });
    await eventually('the schema is being expanded', async () =>
      client.find(Job, { namespace, name: `${name}-db-expand` }),
    );
    const leader = await leaderOf(operator);
    await killPodProcess(leader.split('_')[0] ?? '', 'keystone-operator.mjs');
    await untilReady(demo, ({ status }) => status?.installedRelease === newRelease);
    assert.equal(await demo.keystone.validate(token), 'admin');
    await login(demo);
    // The new leader is the other replica, or a restarted container.
    assert.notEqual(await leaderOf(operator), leader);
    assert.deepEqual(doubleWrites(await requestsOf(operator, demo.cluster.auditLog)), []);
  });

  test('serves metrics over TLS, and only to authorized clients', async () => {
    await checkMetricsAccess(scraped(operator));
  });

  test('leaves no secret value outside of Secrets', async () => {
    assert.deepEqual(await secretLeaks({ ...scraped(operator), data: demo.data }), []);
  });

  test('deletes a Keystone with everything that belongs to it', async () => {
    await deleteKeystone(demo);
  });

  test('needs no permission that its manifests do not grant, and uses those that they grant', async (context) => {
    await checkPermissions(context, operator, { auditLog: demo.cluster.auditLog, excused });
  });

  test('does the same with permissions in one namespace only', async (context) => {
    await uninstall(operator, demo.cluster.client);
    await testRestricted(context, namespaced);
  });

  test('does the same with Roles in listed namespaces only', async (context) => {
    await uninstall(namespaced, demo.cluster.client);
    await testRestricted(context, listed);
    await checkNamespaces(listed, { auditLog: demo.cluster.auditLog, namespaces: listedNamespaces });
  });

  /** Tests the life cycle of a Keystone under an operator with permissions in some namespaces only. */
  async function testRestricted(context: TestContext, installation: OperatorInstallation): Promise<void> {
    const { client } = demo.cluster;
    // As for the first operator, this kind is installed later.
    await demo.kubectl('delete', 'customresourcedefinition', crdOf(HTTPRoute).metadata.name);
    // It contains cached data of the deleted Keystone.
    await demo.kubectl('-n', namespace, 'rollout', 'restart', `deployment/memcached`);
    await demo.kubectl('-n', namespace, 'rollout', 'status', `deployment/memcached`, '--timeout=120s');
    await installOperator(installation, client);
    const keystone = names.manifests(demo.url).find(({ kind }) => kind.kind === Keystone.kind);
    await client.create(Keystone, (keystone ?? assert.fail()).object as Keystone);
    await untilReady(demo);
    await login(demo);
    await rotateFernetKeys(demo);
    await toggleOptionalParts(demo);
    await client.patch(Keystone, ref, 'merge', { spec: { image: { tag: newRelease } } });
    await untilReady(demo, ({ status }) => status?.installedRelease === newRelease);
    await deleteKeystone(demo);
    await checkMetricsAccess(scraped(installation));
    await checkPermissions(context, installation, { auditLog: demo.cluster.auditLog, excused });
  }

  function scraped({ namespace: home, deployment }: OperatorInstallation): ScrapedCluster {
    const { client } = demo.cluster;
    const dial: ScrapedCluster['dial'] = (...target) => demo.cluster.dial(...target);
    return { client, dial, operator: { namespace: home, name: deployment.metadata.name } };
  }

  async function leaderOf({ namespace: home }: OperatorInstallation): Promise<string> {
    const { spec } = await demo.cluster.client.get(Lease, { namespace: home, name: 'keystone.openstack.c5c3.io' });
    return spec?.holderIdentity ?? assert.fail('there is no leader');
  }
});
