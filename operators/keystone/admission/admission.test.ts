// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { mergePatch } from '@forge/kube/patch/merge-patch.ts';
import { assertSaid, createBeforeRules, refusalOf } from '@forge/testing/admission-cluster.ts';
import { Keystone } from '../api/keystone.ts';
import { admissionCluster, type AdmissionCluster } from '../test/admission-cluster.ts';
import type { AdmissionCase } from '../test/admission/admission-case.ts';
import { admissionCases } from '../test/admission/admission-cases.ts';
import { keystoneFixture } from '../test/keystone-fixture.ts';
import { errorsOf } from './admission.ts';

/** The fixture with these changes, as a request carries it. */
const changed = (...changes: object[]): Keystone =>
  JSON.parse(JSON.stringify(changes.reduce<unknown>(mergePatch, keystoneFixture()))) as Keystone;

/** The server's response to the change: the causes of its refusal, or nothing. */
const refusal = (cluster: AdmissionCluster, { before: given, change }: AdmissionCase) =>
  refusalOf(cluster, Keystone, {
    object: changed(given ?? {}, change),
    before: given && changed(given),
    change,
  });

describe('admission of a Keystone', () => {
  let bare: AdmissionCluster;
  let guarded: AdmissionCluster;

  before(async () => {
    bare = await admissionCluster({ webhooks: false });
    guarded = await admissionCluster({ webhooks: true });
  });

  after(async () => {
    await bare[Symbol.asyncDispose]();
    await guarded[Symbol.asyncDispose]();
  });

  for (const each of admissionCases) {
    test(`refuses ${each.name}`, async () => {
      const {
        webhook: [field, message],
        schema,
      } = each;
      const stored = each.before && changed(each.before);
      const errors = errorsOf(changed(each.before ?? {}, each.change), stored);
      assert.deepEqual(
        errors.map((error) => [error.field, error.message]),
        [[field, message]],
      );
      const bySchema = await refusal(bare, each);
      if (schema === undefined) assert.deepEqual(bySchema, [], 'the schema can say this rule: name its message');
      else assertSaid(bySchema, schema);
      assertSaid(await refusal(guarded, each), schema ?? each.webhook);
    });
  }

  test('leaves a Keystone that named a Secret of the operator before to be changed and deleted', async () => {
    const database = { secretRef: { name: 'identity-fernet-keys' } };
    const named = changed({ spec: { database } });
    assert.deepEqual(errorsOf(named, named), []);
    assert.equal(errorsOf(named, changed()).length, 1);
    await createBeforeRules(bare, Keystone, named);
    const { client } = bare;
    await client.patch(Keystone, named.metadata, 'merge', { metadata: { labels: { a: 'b' } } });
    await client.delete(Keystone, named.metadata);
  });

  const allowed: Record<string, object> = {
    'a name of 34 characters': { metadata: { name: 'k'.repeat(34) } },
    'a name of one letter': { metadata: { name: 'k' } },
    'an IPv6 host': { spec: { database: { host: '[2001:db8::1]', port: 65535 } } },
    'an IPv6 cache server': { spec: { cache: { servers: ['[2001:db8::1]:11211'] } } },
    'a repository with registry and port': { spec: { image: { repository: 'registry.example.com:5000/a/b__c-d' } } },
    'a public endpoint with port and path': {
      spec: { bootstrap: { publicEndpoint: 'http://10.0.0.1:5000/identity/v3' } },
    },
    'an interval': { spec: { fernet: { rotationSchedule: '@every 168h' } } },
    'names in a schedule': { spec: { fernet: { rotationSchedule: '0 0 1 JAN,jul Mon-fri/2' } } },
    'no PriorityClass': { spec: { priorityClassName: '' } },
    'the longest request that fits': { spec: { uwsgi: { harakiri: 24 } } },
    'equal limits of autoscaling': {
      spec: { autoscaling: { minReplicas: 3, maxReplicas: 3, targetMemoryUtilization: 100 } },
    },
    'no spreading': { spec: { topologySpreadConstraints: [] } },
    'a request equal to its limit': { spec: { resources: { requests: { cpu: '1000m' }, limits: { cpu: 1 } } } },
  };
  for (const [name, change] of Object.entries(allowed)) {
    test(`allows ${name}`, async () => {
      for (const { client } of [bare, guarded]) await client.create(Keystone, changed(change), { dryRun: true });
    });
  }

  test('says all that is wrong at once', async () => {
    const args = ['--date=30-02-2025'];
    const change = { spec: { fernet: { rotationSchedule: '0 5-3 * * *' }, trustFlush: { args } } };
    const everything = /spec\.fernet\.rotationSchedule: Invalid value.*, spec\.trustFlush\.args\[0\]: Invalid value/;
    await assert.rejects(guarded.client.create(Keystone, changed(change)), everything);
  });
});
