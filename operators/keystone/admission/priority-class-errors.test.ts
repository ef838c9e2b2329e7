// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PriorityClass } from '@forge/kube/kinds/builtin.ts';
import { Keystone } from '../api/keystone.ts';
import { admissionCluster } from '../test/admission-cluster.ts';
import { keystoneFixture } from '../test/keystone-fixture.ts';
import { priorityClassErrors } from './priority-class-errors.ts';

const wanting = (priorityClassName: string) => keystoneFixture({ priorityClassName });
const { signal } = new AbortController();

describe('the PriorityClass of a Keystone', () => {
  test('must exist when its name is written, and only then', async () => {
    await using cluster = await admissionCluster({ webhooks: true });
    const { client } = cluster;
    await assert.rejects(client.create(Keystone, wanting('high')), /spec.priorityClassName: Not found: "high"/);
    const metadata = { name: 'high' };
    await client.create(PriorityClass, {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata,
      value: 1,
    });
    await client.create(Keystone, wanting('high'));
    await client.delete(PriorityClass, metadata);
    const ref = { namespace: 'openstack', name: 'identity' };
    await client.patch(Keystone, ref, 'merge', { spec: { replicas: 4 } });
    await client.patch(Keystone, ref, 'merge', { spec: { priorityClassName: '' } });
    await assert.rejects(client.patch(Keystone, ref, 'merge', { spec: { priorityClassName: 'high' } }), /Not found/);
  });

  test('is an internal error when it cannot be looked up', async () => {
    await using cluster = await admissionCluster({ webhooks: false });
    const client = {
      ...cluster.client,
      get: () => Promise.reject(new Error('connection refused')),
    };
    assert.deepEqual(await priorityClassErrors(wanting('high'), undefined, { client, signal }), [
      {
        field: 'spec.priorityClassName',
        reason: 'InternalError',
        message: 'Internal error: failed to look up PriorityClass: connection refused',
      },
    ]);
  });
});
