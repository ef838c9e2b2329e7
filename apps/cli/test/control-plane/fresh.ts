// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { pythonPackages } from '@forge/apiserver/test/clients/python-packages.ts';
import { ControlPlane } from '@forge/controlplane/api/control-plane.ts';
import { MutatingWebhookConfiguration, Secret, ValidatingWebhookConfiguration } from '@forge/kube/kinds/builtin.ts';
import { eventually } from '@forge/testing/programs/eventually.ts';
import { controlPlaneDemo as demo } from '../../up/control-plane-demo.ts';
import { namespace } from '../../up/demo.ts';
import { clusterProxy } from './cluster-proxy.ts';
import { at, names, second, type ControlPlaneCluster } from './cluster.ts';
import { assertGeneratedAccess } from './operator-access.ts';

const openstackClient = 'python-openstackclient==8.3.0';

/** A patch that makes webhooks ignore objects with a label. */
const ignoringLabelled = (name: string) => [
  { name, objectSelector: { matchExpressions: [{ key: 'webhooks', operator: 'DoesNotExist' }] } },
];

/** Tests a new ControlPlane. */
export function testFresh(cluster: () => ControlPlaneCluster): void {
  test('becomes ready while both operators have only their generated permissions', async () => {
    for (const name of demo.operators) await assertGeneratedAccess(cluster().client, name);
    await cluster().untilReady(namespace);
  });

  test('labels the Secret of its database account, so that mariadb-operator watches it', async () => {
    const { metadata } = await cluster().client.get(Secret, at(namespace, demo.databaseSecret));
    assert.equal(metadata.labels?.['k8s.mariadb.com/watch'], '');
  });

  test('provides a clouds.yaml with which the openstack client lists the catalog', async () => {
    const { client, data, dial, url } = cluster();
    await using proxy = await clusterProxy(dial);
    const secret = await client.get(Secret, at(namespace, names.cloudsYaml));
    const file = data.path('mirrored.yaml');
    await writeFile(file, Buffer.from(secret.data?.['clouds.yaml'] ?? '', 'base64'));
    const env = {
      ...process.env,
      PYTHONPATH: await pythonPackages(openstackClient),
      OS_CLIENT_CONFIG_FILE: file,
      http_proxy: proxy.url,
      no_proxy: '',
    };
    const args = ['-m', 'openstackclient.shell', '--os-cloud', 'admin', 'catalog', 'list', '-f', 'json'];
    const { stdout } = await promisify(execFile)('python3', args, { env });
    const [entry] = JSON.parse(stdout) as {
      Name: string;
      Type: string;
      Endpoints: { interface: string; url: string }[];
    }[];
    assert.deepEqual([entry?.Name, entry?.Type], ['keystone', 'identity']);
    assert.equal(entry?.Endpoints.find((each) => each.interface === 'public')?.url, url);
  });

  test('can have the same name as one in another namespace, each with its own credentials', async () => {
    await cluster().untilReady(second);
    const credentials = await Promise.all([namespace, second].map((each) => cluster().mirrored(each)));
    assert.notEqual(credentials[0]?.id, credentials[1]?.id);
    for (const each of [namespace, second]) {
      assert.equal(await cluster().login(each), 'accepted');
      assert.equal((await cluster().credentials(each)).length, 1);
    }
  });

  test('is refused when its namespace already has one, and parked when no webhook refuses it', async () => {
    const { client } = cluster();
    const { spec } = await client.get(ControlPlane, at(namespace));
    const { apiVersion, kind } = ControlPlane;
    const other = { apiVersion, kind, metadata: at(namespace, 'other'), spec };
    const refusal = /only one ControlPlane is permitted per namespace; "controlplane" already exists/;
    await assert.rejects(client.create(ControlPlane, other), refusal);

    await client.patch(MutatingWebhookConfiguration, { name: 'c5c3-operator-mutating' }, 'strategic', {
      webhooks: ignoringLabelled('mcontrolplane.kb.io'),
    });
    await client.patch(ValidatingWebhookConfiguration, { name: 'c5c3-operator-validating' }, 'strategic', {
      webhooks: ignoringLabelled('vcontrolplane.kb.io'),
    });
    await client.create(ControlPlane, { ...other, metadata: { ...other.metadata, labels: { webhooks: 'off' } } });
    const isParked = async () => {
      const { status } = await client.get(ControlPlane, other.metadata);
      return status?.conditions?.some(({ reason }) => reason === 'DuplicateControlPlane');
    };
    await eventually('it is parked', isParked);
    await client.delete(ControlPlane, other.metadata);
    await eventually('it is deleted', async () => (await client.find(ControlPlane, other.metadata)) === undefined);
    await cluster().untilReady(namespace);
  });
}
