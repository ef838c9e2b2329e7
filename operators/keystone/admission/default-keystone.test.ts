// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { Keystone } from '../api/keystone.ts';
import { admissionCluster, type AdmissionCluster } from '../test/admission-cluster.ts';
import { keystoneFixture } from '../test/keystone-fixture.ts';
import { defaultKeystone } from './default-keystone.ts';

/** What a user must write, and no more. */
const least = {
  image: { repository: 'c5c3/keystone', tag: '2025.2' },
  database: { clusterRef: { name: 'mariadb' }, database: 'keystone', secretRef: { name: 'keystone-db' } },
  cache: { clusterRef: { name: 'memcached' } },
  bootstrap: { adminPasswordSecretRef: { name: 'keystone-admin' } },
};

const keys = { rotationSchedule: '0 0 * * 0', suspend: false, maxActiveKeys: 3 };
const bySchema = {
  ...least,
  replicas: 3,
  cache: { ...least.cache, backend: 'dogpile.cache.pymemcache' },
  fernet: keys,
  credentialKeys: keys,
  bootstrap: { ...least.bootstrap, adminUser: 'admin', region: 'RegionOne' },
  logging: { format: 'text', level: 'INFO', debug: false },
};
const byWebhook = {
  ...bySchema,
  trustFlush: { schedule: '0 * * * *', suspend: false },
  resources: { requests: { memory: '256Mi', cpu: '100m' }, limits: { memory: '512Mi', cpu: '500m' } },
};

/** The spec as the server would keep it. */
async function stored({ client }: AdmissionCluster, spec: object): Promise<unknown> {
  const keystone = { ...keystoneFixture(), spec } as Keystone;
  return (await client.create(Keystone, keystone, { dryRun: true })).spec;
}

describe('defaults of a Keystone', () => {
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

  test('come from the schema, and the rest from the webhook', async () => {
    assert.deepEqual(await stored(bare, least), bySchema);
    assert.deepEqual(await stored(guarded, least), byWebhook);
  });

  test('take the place of zeros', async () => {
    const zeros = {
      ...least,
      replicas: 0,
      fernet: { maxActiveKeys: 0 },
      credentialKeys: { maxActiveKeys: 0 },
      cache: { ...least.cache, backend: '' },
      bootstrap: { ...least.bootstrap, adminUser: '', region: '' },
      uwsgi: { processes: 0, threads: 0 },
      logging: { format: '', level: '' },
      resources: { requests: {} },
    };
    const uwsgi = { processes: 2, threads: 1, httpKeepAlive: true };
    assert.deepEqual(await stored(guarded, zeros), { ...byWebhook, uwsgi });
  });

  test('take the place of zero replicas in a change too, while kubectl scale to zero is refused', async () => {
    const { client } = guarded;
    const { metadata } = keystoneFixture();
    const keystone = {
      ...keystoneFixture(),
      metadata: { ...metadata, name: 'scaled' },
      spec: { ...least, replicas: 2 },
    };
    const { spec } = await client.create(Keystone, keystone as unknown as Keystone);
    assert.equal(spec.replicas, 2);
    const ref = { namespace: metadata.namespace ?? '', name: 'scaled' };
    const none = { spec: { replicas: 0 } };
    // Webhooks of the resource do not see its subresource.
    await assert.rejects(client.patch(Keystone, ref, 'merge', none, { subresource: 'scale' }), {
      message: /spec\.replicas: Invalid value: 0: .*greater than or equal to 1/,
    });
    assert.equal((await client.patch(Keystone, ref, 'merge', none)).spec.replicas, 3);
  });

  test('leave alone what somebody wrote', async () => {
    const written = {
      ...bySchema,
      replicas: 5,
      uwsgi: { processes: 4, threads: 4, httpKeepAlive: false },
      trustFlush: { schedule: '30 2 * * 0', suspend: true },
      resources: { requests: { cpu: '200m' } },
      logging: { format: 'json', level: 'DEBUG', debug: true },
      topologySpreadConstraints: [],
    };
    assert.deepEqual(await stored(guarded, written), written);
  });

  test('fill in a part: threads beside processes, a schedule beside suspend', async () => {
    const change = {
      ...least,
      uwsgi: { processes: 4 },
      trustFlush: { suspend: true },
      resources: { claims: [{ name: 'a' }] },
    };
    assert.deepEqual(await stored(guarded, change), {
      ...byWebhook,
      uwsgi: { processes: 4, threads: 1, httpKeepAlive: true },
      trustFlush: { schedule: '0 * * * *', suspend: true },
      resources: { ...byWebhook.resources, claims: [{ name: 'a' }] },
    });
  });

  test('bring back a trust flush that was taken away', async () => {
    const { client } = guarded;
    await client.create(Keystone, { ...keystoneFixture(), spec: least } as unknown as Keystone);
    const ref = { namespace: 'openstack', name: 'identity' };
    const { spec } = await client.patch(Keystone, ref, 'merge', { spec: { trustFlush: null } });
    assert.deepEqual(spec.trustFlush, byWebhook.trustFlush);
  });

  test('are filled into anything: what has the wrong type is left for the schema to refuse', () => {
    const fields = [...Object.keys(byWebhook), 'uwsgi'];
    const specs = fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom(...fields), fc.jsonValue()));
    fc.assert(
      fc.property(specs, (spec) => {
        const keystone = { ...keystoneFixture(), spec } as unknown as Keystone;
        assert.ok(defaultKeystone(keystone));
      }),
    );
  });
});
