// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { jobKeyOf as keyOf } from '@forge/runtime/jobs/job-key.ts';
import { selectorLabels } from '../names.ts';
import { keystoneFixture } from '../test/keystone-fixture.ts';
import { bootstrapJob, dbSyncJob, schemaCheckJob } from './jobs.ts';

const inputs = { configMap: 'identity-config-1', adminPasswordDigest: 'abc' };

describe('the Jobs', () => {
  test('run keystone-manage on the mounted configuration', () => {
    const container = dbSyncJob(keystoneFixture(), 'identity-config-1').spec?.template.spec?.containers[0];
    assert.deepEqual(container?.command, ['keystone-manage', '--config-dir=/etc/keystone/keystone.conf.d/', 'db_sync']);
    const check = schemaCheckJob(keystoneFixture(), 'identity-config-1').spec?.template.spec?.containers[0];
    assert.equal(check?.command?.[3], 'keystone-manage --config-dir=/etc/keystone/keystone.conf.d/ db_sync --check');
  });

  test('have pods that no selector of the API matches', () => {
    const keystone = keystoneFixture();
    for (const job of [dbSyncJob(keystone, 'c'), schemaCheckJob(keystone, 'c'), bootstrapJob(keystone, inputs)]) {
      const labels = job.spec?.template.metadata?.labels ?? {};
      assert.ok(Object.entries(selectorLabels(keystone)).some(([key, value]) => labels[key] !== value));
    }
  });

  test('give up on a database that does not answer, so that a retry reads a corrected address', () => {
    const keystone = keystoneFixture();
    for (const job of [dbSyncJob(keystone, 'c'), schemaCheckJob(keystone, 'c'), bootstrapJob(keystone, inputs)]) {
      const env = job.spec?.template.spec?.containers[0]?.env ?? [];
      assert.equal(env.find(({ name }) => name === 'OS_DATABASE__MAX_RETRIES')?.value, '6');
    }
  });

  test('run again when image or configuration change', () => {
    const before = keyOf(dbSyncJob(keystoneFixture(), 'identity-config-1'));
    assert.equal(keyOf(dbSyncJob(keystoneFixture(), 'identity-config-1')), before);
    assert.notEqual(keyOf(dbSyncJob(keystoneFixture(), 'identity-config-2')), before);
    const image = { repository: 'c5c3/keystone', tag: '2026.1' };
    assert.notEqual(keyOf(dbSyncJob(keystoneFixture({ image }), 'identity-config-1')), before);
  });

  test('bootstrap runs again for a new password or catalog value, not for a new image or configuration', () => {
    const keystone = keystoneFixture();
    const before = keyOf(bootstrapJob(keystone, inputs));
    const image = { repository: 'c5c3/keystone', tag: '2026.1' };
    assert.equal(
      keyOf(bootstrapJob(keystoneFixture({ image }), { ...inputs, configMap: 'identity-config-2' })),
      before,
    );
    assert.notEqual(keyOf(bootstrapJob(keystone, { ...inputs, adminPasswordDigest: 'def' })), before);
    const bootstrap = { ...keystone.spec.bootstrap, region: 'EU-West' };
    assert.notEqual(keyOf(bootstrapJob(keystoneFixture({ bootstrap }), inputs)), before);
  });

  test('bootstrap gets the password by environment', () => {
    const job = bootstrapJob(keystoneFixture(), inputs);
    assert.deepEqual(job.spec?.template.spec?.containers[0]?.env?.[0], {
      name: 'OS_BOOTSTRAP_PASSWORD',
      valueFrom: { secretKeyRef: { name: 'keystone-admin', key: 'password' } },
    });
  });

  test('bootstrap fills the catalog with the public URL where there is one', () => {
    const bootstrap = {
      ...keystoneFixture().spec.bootstrap,
      publicEndpoint: 'https://id.example/v3',
      adminUser: 'root',
    };
    const job = bootstrapJob(keystoneFixture({ bootstrap }), inputs);
    assert.deepEqual(job.spec?.template.spec?.containers[0]?.command?.slice(2), [
      'bootstrap',
      '--bootstrap-admin-url',
      'http://identity.openstack.svc.cluster.local:5000/v3',
      '--bootstrap-internal-url',
      'http://identity.openstack.svc.cluster.local:5000/v3',
      '--bootstrap-public-url',
      'https://id.example/v3',
      '--bootstrap-region-id',
      'RegionOne',
      '--bootstrap-username',
      'root',
    ]);
  });
});
