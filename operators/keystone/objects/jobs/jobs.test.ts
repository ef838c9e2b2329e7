// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Job } from '@forge/kube/kinds/builtin.ts';
import { jobKeyOf as keyOf } from '@forge/runtime/jobs/job-key.ts';
import { selectorLabels } from '../../api/names.ts';
import { keystoneFixture } from '../../test/keystone-fixture.ts';
import { bootstrapJob } from './bootstrap-job.ts';
import { dbSyncJob, phaseJob, schemaCheckJob } from './database-jobs.ts';
import { policyValidationJob } from './policy-validation-job.ts';

const image = 'c5c3/keystone:2025.2';
const inputs = { image, configMap: 'identity-config-1', adminPasswordDigest: 'abc' };
const database = { configMap: 'identity-config-1', connectionDigest: 'def' };

const databaseJobs = [
  dbSyncJob(keystoneFixture(), database),
  schemaCheckJob(keystoneFixture(), database),
  ...(['expand', 'migrate', 'contract'] as const).map((phase) => phaseJob(keystoneFixture(), phase, database)),
];
const validation = policyValidationJob(keystoneFixture(), { image, configMap: 'identity-config-1' });
const all = [...databaseJobs, bootstrapJob(keystoneFixture(), inputs), validation];

/** What its pod mounts and gets. */
function podOf({ spec }: Job) {
  const { securityContext, priorityClassName, volumes = [], containers = [] } = spec?.template.spec ?? {};
  const env = (containers[0]?.env ?? []).map(({ name }) => name);
  return { volumes: volumes.map(({ name }) => name), fsGroup: securityContext?.fsGroup, priorityClassName, env };
}

describe('the Jobs', () => {
  test('run keystone-manage on the mounted configuration', () => {
    const container = dbSyncJob(keystoneFixture(), database).spec?.template.spec?.containers[0];
    assert.deepEqual(container?.command, ['keystone-manage', '--config-dir=/etc/keystone/keystone.conf.d/', 'db_sync']);
    const check = schemaCheckJob(keystoneFixture(), database).spec?.template.spec?.containers[0];
    assert.equal(check?.command?.[3], 'keystone-manage --config-dir=/etc/keystone/keystone.conf.d/ db_sync --check');
  });

  test('have pods that no selector of the API matches', () => {
    const keystone = keystoneFixture();
    for (const job of all) {
      const labels = job.spec?.template.metadata?.labels ?? {};
      assert.ok(Object.entries(selectorLabels(keystone)).some(([key, value]) => labels[key] !== value));
    }
  });

  test('give up on a database that does not answer, so that a retry reads a corrected address', () => {
    for (const job of [...databaseJobs, bootstrapJob(keystoneFixture(), inputs)]) {
      const env = job.spec?.template.spec?.containers[0]?.env ?? [];
      assert.equal(env.find(({ name }) => name === 'OS_DATABASE__MAX_RETRIES')?.value, '6');
      assert.equal(env.find(({ name }) => name === 'OS_DATABASE__RETRY_INTERVAL')?.value, '5');
    }
  });

  test('leave their text behind when they fail, and mount no token', () => {
    for (const { spec } of all) {
      const { restartPolicy, automountServiceAccountToken, containers = [] } = spec?.template.spec ?? {};
      assert.deepEqual([restartPolicy, automountServiceAccountToken], ['Never', false]);
      assert.deepEqual(
        containers.map((container) => container.terminationMessagePolicy),
        ['FallbackToLogsOnError'],
      );
    }
  });

  test('have the group of the key files only where they mount keys, and priority except for the validator', () => {
    const keystone = keystoneFixture({ priorityClassName: 'high' });
    const databaseEnv = ['CONNECTION', 'CONNECTION_PARAMETERS', 'MAX_RETRIES', 'RETRY_INTERVAL'].map(
      (option) => `OS_DATABASE__${option}`,
    );
    for (const job of [dbSyncJob(keystone, database), schemaCheckJob(keystone, database)]) {
      const plain = { volumes: ['config'], fsGroup: undefined, priorityClassName: 'high', env: databaseEnv };
      assert.deepEqual(podOf(job), plain);
    }
    assert.deepEqual(podOf(bootstrapJob(keystone, inputs)), {
      volumes: ['config', 'fernet-keys'],
      fsGroup: 42424,
      priorityClassName: 'high',
      env: ['OS_BOOTSTRAP_PASSWORD', 'OS_CACHE__ENABLED', ...databaseEnv],
    });
    assert.deepEqual(podOf(policyValidationJob(keystone, { image, configMap: 'identity-config-1' })), {
      volumes: ['config'],
      fsGroup: undefined,
      priorityClassName: undefined,
      env: [],
    });
  });

  test('run again when image, configuration, connection or database change, and for another Keystone of the name', () => {
    const before = keyOf(dbSyncJob(keystoneFixture(), database));
    assert.equal(keyOf(dbSyncJob(keystoneFixture(), database)), before);
    const other = keystoneFixture();
    for (const job of [
      dbSyncJob(keystoneFixture(), { ...database, configMap: 'identity-config-2' }),
      dbSyncJob(keystoneFixture(), { ...database, connectionDigest: 'other' }),
      dbSyncJob(keystoneFixture({ image: { repository: 'c5c3/keystone', tag: '2026.1' } }), database),
      dbSyncJob({ ...other, metadata: { ...other.metadata, uid: 'c2e7' } }, database),
      dbSyncJob({ ...other, status: { syncedDatabase: 'db.example:3307/keystone' } }, database),
    ]) {
      assert.notEqual(keyOf(job), before);
    }
  });

  test('take the schema through the phases of an upgrade', () => {
    assert.deepEqual(
      databaseJobs.slice(2).map(({ metadata, spec }) => ({
        name: metadata.name,
        container: spec?.template.spec?.containers[0]?.name,
        option: spec?.template.spec?.containers[0]?.command?.slice(2),
      })),
      ['expand', 'migrate', 'contract'].map((phase) => ({
        name: `identity-db-${phase}`,
        container: `db-${phase}`,
        option: ['db_sync', `--${phase}`],
      })),
    );
  });

  test('check policies without a database', () => {
    const [container] = validation.spec?.template.spec?.containers ?? [];
    assert.deepEqual(container?.command, [
      'oslopolicy-validator',
      '--namespace',
      'keystone',
      '--config-dir',
      '/etc/keystone/keystone.conf.d/',
    ]);
    assert.equal(container.env, undefined);
  });

  test('bootstrap runs again for a new password, catalog value or database, not for a new image or configuration', () => {
    const keystone = keystoneFixture();
    const before = keyOf(bootstrapJob(keystone, inputs));
    const elsewhere = { ...inputs, image: 'c5c3/keystone:2026.1', configMap: 'identity-config-2' };
    assert.equal(keyOf(bootstrapJob(keystone, elsewhere)), before);
    assert.notEqual(keyOf(bootstrapJob(keystone, { ...inputs, adminPasswordDigest: 'def' })), before);
    const bootstrap = { ...keystone.spec.bootstrap, region: 'EU-West' };
    assert.notEqual(keyOf(bootstrapJob(keystoneFixture({ bootstrap }), inputs)), before);
    const elsewhereSynced = { ...keystone, status: { syncedDatabase: 'db.example:3307/keystone' } };
    assert.notEqual(keyOf(bootstrapJob(elsewhereSynced, inputs)), before);
  });

  test('bootstrap gets the password by environment', () => {
    const job = bootstrapJob(keystoneFixture(), inputs);
    assert.deepEqual(job.spec?.template.spec?.containers[0]?.env?.[0], {
      name: 'OS_BOOTSTRAP_PASSWORD',
      valueFrom: { secretKeyRef: { name: 'keystone-admin', key: 'password' } },
    });
  });

  test('bootstrap reads the database, not a cache that may hold entries of an earlier one', () => {
    const env = bootstrapJob(keystoneFixture(), inputs).spec?.template.spec?.containers[0]?.env;
    assert.equal(env?.find(({ name }) => name === 'OS_CACHE__ENABLED')?.value, 'false');
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
