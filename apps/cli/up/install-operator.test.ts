// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiServer } from '@forge/apiserver/api-server.ts';
import { inProcessTransport } from '@forge/apiserver/wire/in-process-transport.ts';
import { Keystone } from '@forge/keystone/api/keystone.ts';
import { client, type Client } from '@forge/kube/client/client.ts';
import {
  CustomResourceDefinition,
  Deployment,
  MutatingWebhookConfiguration,
  Namespace,
  ValidatingAdmissionPolicy,
  ValidatingWebhookConfiguration,
} from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { MariaDB } from '@forge/kube/third-party/mariadb.ts';
import { OpenBaoCluster } from '@forge/openbao/api/openbao-cluster.ts';
import { permissiveDefinition } from '@forge/openbao/test/admission/check-admission.ts';
import { openbaoFixture } from '@forge/openbao/test/openbao-fixture.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import type { Random } from '@forge/runtime/environment/random.ts';
import { seededRandom } from '@forge/runtime/environment/seeded-random.ts';
import { virtualClock, type VirtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { operators, type OperatorName } from '../../../operators/operators.ts';
import { progress } from '../terminal/progress.ts';
import { createOnce } from './create-once.ts';
import {
  installOperator,
  operatorImages,
  operatorInstallation,
  operatorNamespace as namespace,
} from './install-operator.ts';
import { keystoneDemo as demo } from './keystone-demo.ts';

async function installed(operator: OperatorName = 'keystone') {
  const clock = virtualClock();
  const random = seededRandom();
  const server = await apiServer({ clock, random });
  const kube = client(inProcessTransport(server));
  const installation = await operatorInstallation(operator);
  const installing = installOperator(installation, kube);
  await clock.settle();
  await installing;
  return { clock, random, kube, installation, [Symbol.asyncDispose]: () => server.close() };
}

test('the operator is installed with one replica and its bundled image, and keeps its caBundle when installed again', async () => {
  await using cluster = await installed();
  const { kube, installation } = cluster;
  const { deployment, images } = installation;
  const { spec } = await kube.get(Deployment, { namespace, name: deployment.metadata.name });
  assert.equal(spec?.replicas, 1);
  assert.deepEqual(images[0].references, [spec.template.spec?.containers[0]?.image]);

  const name = 'keystone-operator-validating';
  const webhooks = [{ name: 'vkeystone.kb.io', clientConfig: { caBundle: 'Y2E=' } }];
  await kube.patch(ValidatingWebhookConfiguration, { name }, 'strategic', { webhooks });
  await installOperator(installation, kube);
  const [webhook] = (await kube.get(ValidatingWebhookConfiguration, { name })).webhooks ?? [];
  assert.equal(webhook?.clientConfig.caBundle, 'Y2E=');
  assert.equal(webhook.clientConfig.service?.namespace, namespace);
});

test("the images of an operator's Jobs have its tag", async () => {
  const { images } = await operatorInstallation('openbao');
  const references = images.flatMap((image) => image.references);
  const [, tag] = references[0]?.split(':') ?? [];
  assert.deepEqual(references, [`c5c3/openbao-operator:${tag}`, `c5c3/openbao-executor:${tag}`]);
});

test('the images of an operator are known without its kinds', async () => {
  for (const { name } of operators) {
    const { images } = await operatorInstallation(name as OperatorName);
    assert.deepEqual(await operatorImages(name), images);
  }
});

test('a second installation of the operator overwrites changes of others', async () => {
  await using cluster = await installed();
  const { kube, installation } = cluster;
  const ref = { namespace, name: installation.deployment.metadata.name };
  await kube.patch(Deployment, ref, 'merge', { spec: { replicas: 0 } });
  await installOperator(installation, kube);
  assert.equal((await kube.get(Deployment, ref)).spec?.replicas, 1);
});

test('an operator is installed with its admission policies, which the cluster enforces', async () => {
  await using cluster = await installed('openbao');
  const { clock, kube } = cluster;
  const name = 'openbao-operator-validate-openbaocluster';
  const typeChecked = async () => (await kube.get(ValidatingAdmissionPolicy, { name })).status?.typeChecking;
  await clock.until(async () => (await typeChecked()) !== undefined);
  assert.deepEqual(await typeChecked(), {}, 'its expressions fit the kind');
  // Without rules of its own, only the policy can refuse.
  const { metadata, spec } = permissiveDefinition();
  await kube.patch(CustomResourceDefinition, metadata, 'merge', { spec });
  await clock.settle();
  const create = (config: Record<string, string>) =>
    kube.create(OpenBaoCluster, openbaoFixture({ config }), { dryRun: true });
  await create({ log_level: 'debug' });
  await assert.rejects(create({ listener: 'x' }), new RegExp(`ValidatingAdmissionPolicy '${name}'.* denied request`));
});

async function creating(kube: Client, clock: VirtualClock, random: Random) {
  let shown = '';
  const output = progress({ write: (text) => (shown += text), clock, colour: false });
  const options = { clock, random, progress: output, signal: new AbortController().signal };
  const manifests = demo.manifests('http://127.0.0.1:1/v3');
  await kube.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: demo.namespace } });
  return {
    shown: () => shown,
    create: (kind: Kind) =>
      createOnce(kube, manifests.find((each) => each.kind.kind === kind.kind) ?? assert.fail(kind.kind), options),
  };
}

test("the demo's Keystone is created as soon as the operator's webhooks can be called", async () => {
  await using cluster = await installed();
  const { clock, random, kube } = cluster;
  const { create, shown } = await creating(kube, clock, random);

  const created = create(Keystone);
  await clock.advance(seconds(5));
  const ref = { namespace: demo.namespace, name: demo.keystone };
  assert.equal(await kube.find(Keystone, ref), undefined, 'no pod serves the webhooks');
  assert.match(shown(), /keystone +waits for webhook mkeystone\.kb\.io, which does not answer yet/);
  await kube.delete(ValidatingWebhookConfiguration, { name: 'keystone-operator-validating' });
  await kube.delete(MutatingWebhookConfiguration, { name: 'keystone-operator-mutating' });
  await clock.advance(seconds(1));
  await created;
  assert.notEqual(await kube.find(Keystone, ref), undefined);
  await installOperator(cluster.installation, kube);
  await create(Keystone);
});

test("the demo's MariaDB is created as soon as its kind is installed, also by another operator", async () => {
  await using cluster = await installed();
  const { clock, random, kube } = cluster;
  const { create, shown } = await creating(kube, clock, random);

  const created = create(MariaDB);
  await clock.advance(seconds(5));
  assert.match(shown(), /mariadb +waits for CustomResourceDefinition mariadbs\.k8s\.mariadb\.com/);
  await kube.create(CustomResourceDefinition, crdOf(MariaDB));
  await clock.settle();
  await created;
  assert.notEqual(await kube.find(MariaDB, { namespace: demo.namespace, name: 'mariadb' }), undefined);
});
