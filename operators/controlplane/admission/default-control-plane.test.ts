// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { mergePatch } from '@forge/kube/patch/merge-patch.ts';
import type { AdmissionCluster } from '@forge/testing/admission-cluster.ts';
import fc from 'fast-check';
import { ControlPlane } from '../api/control-plane.ts';
import { controlPlaneCluster } from '../test/control-plane-cluster.ts';
import { brownfield, controlPlaneFixture, leastSpec } from '../test/control-plane-fixture.ts';
import { defaultControlPlane } from './default-control-plane.ts';

const withSpec = (spec: unknown) => ({ ...controlPlaneFixture(), spec }) as ControlPlane;

/** The spec as the server would keep it. */
async function stored({ client }: AdmissionCluster, spec: unknown): Promise<ControlPlane['spec']> {
  return (await client.create(ControlPlane, withSpec(spec), { dryRun: true })).spec;
}

/** What a user wrote, with the defaults of the webhook and of the schema. */
const complete = controlPlaneFixture().spec;

describe('defaults of a ControlPlane', () => {
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

  test('complete the smallest one: everything is managed', async () => {
    assert.deepEqual(await stored(guarded, leastSpec), complete);
  });

  test('come from the schema without the webhook, which then requires the rest', async () => {
    await assert.rejects(stored(bare, leastSpec), /spec\.infrastructure: Required value.*spec\.korc: Required value/);
    const { korc, infrastructure } = complete;
    const { adminCredential } = korc;
    const { replicas: _, ...database } = infrastructure.database;
    const { replicas: _none, ...cache } = infrastructure.cache;
    const least = {
      ...leastSpec,
      infrastructure: { database, cache },
      korc: {
        adminCredential: { ...adminCredential, cloudCredentialsRef: {}, applicationCredential: { rotation: {} } },
      },
    };
    assert.deepEqual(await stored(bare, least), complete);
  });

  test('take the place of empty texts, null and zeros', async () => {
    const empty = {
      ...leastSpec,
      region: '',
      infrastructure: {
        database: { host: '', port: 0, database: '', secretRef: { name: '' }, clusterRef: { name: '' }, replicas: 0 },
        cache: { servers: [], backend: '', clusterRef: {}, replicas: 0 },
      },
      korc: {
        adminCredential: {
          cloudCredentialsRef: { secretName: '', cloudName: '' },
          passwordSecretRef: { name: '', key: '' },
          applicationCredential: { restricted: null, rotation: { mode: '' } },
        },
      },
    };
    assert.deepEqual(await stored(guarded, empty), complete);
  });

  test('leave alone what somebody wrote: brownfield stays brownfield, and restricted false', async () => {
    const change = {
      infrastructure: brownfield,
      korc: { adminCredential: { applicationCredential: { restricted: false, rotation: { mode: 'Manual' } } } },
    };
    const written = mergePatch(complete, change) as ControlPlane['spec'];
    const { clusterRef: _, ...database } = written.infrastructure.database;
    const { clusterRef: _none, ...cache } = written.infrastructure.cache;
    const own = { ...written, infrastructure: { database, cache } };
    assert.deepEqual(await stored(guarded, own), own);
  });

  test('in brownfield mode are the names of database and Secret', async () => {
    const infrastructure = { database: { host: 'db.example' }, cache: { servers: ['cache-0:11211'] } };
    const { database, cache } = (await stored(guarded, { ...leastSpec, infrastructure })).infrastructure;
    assert.deepEqual(database, {
      host: 'db.example',
      database: 'keystone',
      secretRef: { name: 'keystone-db' },
      replicas: 3,
    });
    assert.deepEqual(cache, { servers: ['cache-0:11211'], backend: 'dogpile.cache.pymemcache', replicas: 3 });
  });

  test('change nothing when they are filled in again', () => {
    const once = defaultControlPlane(withSpec(leastSpec));
    assert.deepEqual(defaultControlPlane(once), once);
  });

  test('are filled into anything: what has the wrong type is left for the schema to refuse', () => {
    const fields = fc.constantFrom('infrastructure', 'database', 'cache', 'korc', 'adminCredential', 'clusterRef');
    const specs = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(fields, fc.oneof(fc.jsonValue(), fc.dictionary(fields, fc.jsonValue()))),
    );
    fc.assert(fc.property(specs, (spec) => assert.ok(defaultControlPlane(withSpec(spec)))));
  });
});
