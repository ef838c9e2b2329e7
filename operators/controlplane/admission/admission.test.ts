// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { mergePatch } from '@forge/kube/patch/merge-patch.ts';
import { assertSaid, createBeforeRules, refusalOf, type AdmissionCluster } from '@forge/testing/admission-cluster.ts';
import { ControlPlane } from '../api/control-plane.ts';
import type { AdmissionCase } from '../test/admission/admission-case.ts';
import { admissionCases } from '../test/admission/admission-cases.ts';
import { controlPlaneCluster } from '../test/control-plane-cluster.ts';
import { brownfield, controlPlaneFixture, home } from '../test/control-plane-fixture.ts';
import { errorsOf } from './admission.ts';

/** The fixture with these changes, as a request carries it. */
const changed = (...changes: object[]): ControlPlane =>
  JSON.parse(JSON.stringify(changes.reduce<unknown>(mergePatch, controlPlaneFixture()))) as ControlPlane;

const refusal = (cluster: AdmissionCluster, { before: given, change }: AdmissionCase) =>
  refusalOf(cluster, ControlPlane, {
    object: changed(given ?? {}, change),
    before: given && changed(given),
    change,
  });

describe('admission of a ControlPlane', () => {
  let bare: AdmissionCluster;
  let guarded: AdmissionCluster;

  before(async () => {
    bare = await controlPlaneCluster({ webhooks: false });
    guarded = await controlPlaneCluster({ webhooks: true });
  });

  after(async () => {
    await bare[Symbol.asyncDispose]();
    await guarded[Symbol.asyncDispose]();
  });

  for (const each of admissionCases) {
    test(`refuses ${each.name}`, async () => {
      const { webhook, schema } = each;
      const stored = each.before && changed(each.before);
      const errors = errorsOf(changed(each.before ?? {}, each.change), stored);
      assert.deepEqual(
        errors.map((error) => [error.field, error.message]),
        [[...webhook]],
      );
      const bySchema = await refusal(bare, each);
      if (schema === undefined) assert.deepEqual(bySchema, [], 'the schema can say this rule: name its message');
      else assertSaid(bySchema, schema);
      // What is empty or left out, the webhook fills in before anything is validated.
      if (isFilledIn(each)) assert.deepEqual(await refusal(guarded, each), []);
      else assertSaid(await refusal(guarded, each), schema ?? webhook);
    });
  }

  const own = { spec: { infrastructure: { database: { clusterRef: null }, cache: { clusterRef: null } } } };
  const allowed: Record<string, object[]> = {
    'a name of 25 characters': [{ metadata: { name: 'c'.repeat(25) } }],
    'a single database server': [{ spec: { infrastructure: { database: { replicas: 1 } } } }],
    'a database and a cache of the user’s own': [own, { spec: { infrastructure: brownfield } }],
    'Secrets that are made in managed mode only': [
      own,
      { spec: { infrastructure: brownfield } },
      { spec: { infrastructure: { database: { secretRef: { name: 'controlplane-keystone-db-credentials' } } } } },
      {
        spec: { korc: { adminCredential: { passwordSecretRef: { name: 'controlplane-keystone-admin-credentials' } } } },
      },
    ],
    'a weekly rotation': [{ spec: { services: { keystone: { rotationInterval: '168h' } } } }],
    'a rotation written in minutes': [{ spec: { services: { keystone: { rotationInterval: '1440m0s' } } } }],
    'a policy without rules': [{ spec: { global: { configMapRef: { name: 'policies' } } } }],
  };
  for (const [name, changes] of Object.entries(allowed)) {
    test(`allows ${name}`, async () => {
      assert.deepEqual(errorsOf(changed(...changes)), []);
      for (const { client } of [bare, guarded])
        await client.create(ControlPlane, changed(...changes), { dryRun: true });
    });
  }

  const changes: Record<string, object> = {
    'a newer release': { openStackRelease: '2026.1' },
    'any later release while there is no Keystone': { openStackRelease: '2027.1' },
    'another cloud name': { korc: { adminCredential: { cloudCredentialsRef: { cloudName: 'other' } } } },
    'another number of cache servers': { infrastructure: { cache: { replicas: 5 } } },
  };
  for (const [name, change] of Object.entries(changes)) {
    test(`allows a change to ${name}`, async () => {
      for (const cluster of [bare, guarded]) {
        assert.deepEqual(
          await refusalOf(cluster, ControlPlane, {
            object: changed({ spec: change }),
            before: changed({}),
            change: { spec: change },
          }),
          [],
        );
      }
    });
  }

  test('allows the webhook to fill in what was stored empty without it', async () => {
    const empty = {
      spec: {
        region: '',
        infrastructure: { database: { clusterRef: { name: '' } }, cache: { clusterRef: { name: '' } } },
        korc: { adminCredential: { cloudCredentialsRef: { secretName: '', cloudName: '' } } },
      },
    };
    assert.deepEqual(errorsOf(changed(), changed(empty)), []);
    const stored = await bare.client.create(ControlPlane, changed(empty));
    assert.equal(stored.spec.region, '');
    await bare.client.patch(ControlPlane, home, 'merge', { spec: controlPlaneFixture().spec });
    await bare.client.delete(ControlPlane, home);
  });

  test('leaves a ControlPlane alone that has named one Secret twice before, until it names another', async () => {
    const shared = { spec: { infrastructure: { database: { secretRef: { name: 'keystone-admin' } } } } };
    assert.deepEqual(errorsOf(changed(shared), changed(shared)), []);
    await createBeforeRules(bare, ControlPlane, changed(shared));
    const { client } = bare;
    await client.patch(ControlPlane, home, 'merge', { metadata: { finalizers: ['example.com/hold'] } });
    await client.patch(ControlPlane, home, 'merge', { metadata: { finalizers: null } });
    const passwordSecretRef = { name: 'controlplane-admin-password-cloud' };
    await assert.rejects(
      client.patch(ControlPlane, home, 'merge', { spec: { korc: { adminCredential: { passwordSecretRef } } } }),
      /Secret controlplane-admin-password-cloud is made by an operator/,
    );
    await client.delete(ControlPlane, home);
  });

  test('counts a host that is empty as set, as the schema does', () => {
    const empty = changed({ spec: { infrastructure: { database: { host: '' } } } });
    assert.deepEqual(
      errorsOf(empty).map(({ field }) => field),
      ['spec.infrastructure.database'],
    );
  });

  test('says all that is wrong at once, in order', () => {
    const wrong = changed({
      spec: {
        openStackRelease: '2024.2',
        region: 'RegionTwo',
        infrastructure: { database: { replicas: 2 } },
        global: { rules: { b: '', a: '' } },
      },
    });
    assert.deepEqual(
      errorsOf(wrong, changed()).map(({ field }) => field),
      [
        'spec.infrastructure.database.replicas',
        'spec.global.rules[a]',
        'spec.global.rules[b]',
        'spec.infrastructure.database.replicas',
        'spec.region',
        'spec.openStackRelease',
      ],
    );
  });

  test('words its refusal as specified', async () => {
    const interval = changed({ spec: { services: { keystone: { rotationInterval: '24h1us' } } } });
    await assert.rejects(guarded.client.create(ControlPlane, interval), {
      message:
        /admission webhook "vcontrolplane\.kb\.io" denied the request: ControlPlane\.c5c3\.io "controlplane" is invalid: spec\.services\.keystone\.rotationInterval: Invalid value: "24h0m0\.000001s": must be/,
    });
  });
});

/** Whether the mutating webhook repairs the object. */
function isFilledIn({ name }: AdmissionCase): boolean {
  return ['no database', 'no cache', 'no name of the password Secret'].includes(name);
}
