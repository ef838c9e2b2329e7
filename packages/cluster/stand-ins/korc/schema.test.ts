// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ApplicationCredential, Domain, Endpoint, Service, User } from '@forge/kube/third-party/korc.ts';
import { at, korcCluster, type KorcCluster } from '../test/korc-cluster.ts';
import { applicationCredential, domain, endpoint, service, user } from '../test/korc-objects.ts';
import type { KorcObject } from './korc-object.ts';

const unmanaged = { managementPolicy: 'unmanaged' } as const;

describe('the kinds of K-ORC', () => {
  let cluster: KorcCluster;

  before(async () => {
    cluster = await korcCluster();
    await cluster.client.create(Service, service());
    await cluster.client.create(Endpoint, endpoint({ description: 'd' }));
    await cluster.client.create(ApplicationCredential, applicationCredential());
  });

  after(async () => {
    await cluster[Symbol.asyncDispose]();
  });

  for (const [what, kind, object, message] of [
    ['managed without a resource', Domain, domain({}), /resource must be specified when policy is managed/],
    [
      'managed with an import',
      Service,
      service({}, { import: { filter: { name: 'a' } } }),
      /import may not be specified when policy is managed/,
    ],
    ['unmanaged without an import', Domain, domain(unmanaged), /import must be specified when policy is unmanaged/],
    ['unmanaged with a resource', Service, service({}, unmanaged), /resource may not be specified/],
    [
      'unmanaged with managedOptions',
      Domain,
      domain({ ...domain().spec, managedOptions: { onDelete: 'detach' } }),
      /managedOptions may only be provided when policy is managed/,
    ],
    [
      'imported by an id and a filter',
      Domain,
      domain({ ...unmanaged, import: { id: 'a'.repeat(32), filter: { name: 'a' } } }),
      /at most 1/,
    ],
    [
      'imported by an id that is not a UUID',
      Domain,
      domain({ ...unmanaged, import: { id: 'default' } }),
      /must be of type uuid/,
    ],
    ['imported by an empty filter', User, user({ ...unmanaged, import: { filter: {} } }), /at least 1/],
    [
      'imported by a user only',
      ApplicationCredential,
      applicationCredential({}, { ...unmanaged, import: { filter: { userRef: 'admin' } } }),
      /at least 2/,
    ],
    [
      'with an unknown method',
      ApplicationCredential,
      applicationCredential({ accessRules: [{ method: 'FETCH' as 'GET' }] }),
      /Unsupported value: "FETCH"/,
    ],
  ] as const) {
    test(`refuse one that is ${what}`, async () => {
      const rejected = { ...object, metadata: at('rejected') } as KorcObject;
      await assert.rejects(cluster.client.create<KorcObject>(kind, rejected), message);
    });
  }

  for (const [what, kind, name, spec] of [
    ['the policy', Service, 'identity', { managementPolicy: 'unmanaged' }],
    ['the resource of a credential', ApplicationCredential, 'credential', { resource: { unrestricted: true } }],
    ['the service of an endpoint', Endpoint, 'public', { resource: { serviceRef: 'other' } }],
    ['the description of an endpoint', Endpoint, 'public', { resource: { description: 'other' } }],
  ] as const) {
    test(`refuse a change of ${what}`, async () => {
      await assert.rejects(cluster.client.patch<KorcObject>(kind, at(name), 'merge', { spec }), /is immutable/);
    });
  }

  test('have the defaults of the schema, and no fields beyond it', async () => {
    const { spec } = await cluster.client.get(Service, at('identity'));
    assert.deepEqual([spec.managementPolicy, spec.resource?.enabled], ['managed', true]);
    const changed = await cluster.client.patch(Endpoint, at('public'), 'merge', {
      spec: { resource: { region: 'R' } },
    });
    assert.ok(!('region' in (changed.spec.resource ?? {})));
  });
});
