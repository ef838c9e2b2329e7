// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import { fieldsOf } from '@forge/kube/schema/fields-of.ts';
import type { Schema } from '@forge/kube/schema/schema.ts';
import { admissionCluster } from '@forge/testing/admission-cluster.ts';
import { completeCluster } from '../test/complete-cluster.ts';
import { home, openbaoFixture } from '../test/openbao-fixture.ts';
import { OpenBaoCluster } from './openbao-cluster.ts';

const crd = crdOf(OpenBaoCluster);
const [version] = crd.spec.versions;
const cluster = () => admissionCluster({ kinds: [OpenBaoCluster], namespaces: [] });

describe('the kind OpenBaoCluster', () => {
  test('explains every field', () => {
    const unexplained = [...fieldsOf(version?.schema?.openAPIV3Schema as Schema)]
      .filter(([, { description = '' }]) => !/^[A-Za-z"].*[.]$/s.test(description))
      .map(([path, { description }]) => `${path}: ${description}`);
    assert.deepEqual(unexplained, []);
  });

  test('is kept as it was written', async () => {
    const whole = completeCluster();
    assert.deepEqual(
      Object.keys(whole.spec).toSorted(),
      Object.keys(version?.schema?.openAPIV3Schema?.properties?.['spec']?.properties ?? {}).toSorted(),
    );
    await using server = await cluster();
    assert.deepEqual((await server.client.create(OpenBaoCluster, whole)).spec, whole.spec);
  });

  test('needs only a version, a size and a rotation period; the rest has defaults', async () => {
    const spec = { version: '2.7.2', tls: { rotationPeriod: '720h' }, storage: { size: '1Gi' } };
    const least = { ...openbaoFixture(), spec: spec as OpenBaoCluster['spec'] };
    await using server = await cluster();
    assert.deepEqual((await server.client.create(OpenBaoCluster, least)).spec, openbaoFixture().spec);
    // Where the block is given, what is in it has defaults, too.
    const unseal = { static: {} } as unknown as OpenBaoCluster['spec']['unseal'];
    const patched = await server.client.patch(OpenBaoCluster, home, 'merge', { spec: { unseal } });
    assert.deepEqual(patched.spec.unseal, {
      type: 'static',
      static: { currentKey: 'file:///etc/bao/unseal/key', currentKeyID: 'operator-generated-v1' },
    });
  });

  test('has short names, a status and columns', () => {
    assert.deepEqual(crd.spec.names.shortNames, ['bao', 'baoc']);
    assert.deepEqual(version?.subresources, { status: {} });
    assert.deepEqual(
      version.additionalPrinterColumns?.map(({ name, jsonPath, priority = 0 }) => [name, jsonPath, priority]),
      [
        ['Phase', '.status.phase', 0],
        ['Version', '.status.currentVersion', 0],
        ['Ready', '.status.readyReplicas', 0],
        ['Desired', '.spec.replicas', 0],
        ['Leader', '.status.activeLeader', 1],
        ['Age', '.metadata.creationTimestamp', 0],
      ],
    );
  });
});
