// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Job } from '@forge/kube/kinds/builtin.ts';
import { jobConnection, jobLabels, labels, mounted, restricted } from '../../test/expected-pods.ts';
import { keystoneFixture } from '../../test/keystone-fixture.ts';
import { bootstrapJob } from './bootstrap-job.ts';
import { dbSyncJob, imageTagOf, phaseJob, schemaCheckJob } from './database-jobs.ts';
import { policyValidationJob } from './policy-validation-job.ts';

const synced = 'db.example:3306/keystone';
const fixture = keystoneFixture({
  priorityClassName: 'high',
  bootstrap: { adminUser: 'admin', adminPasswordSecretRef: { name: 'keystone-admin', key: 'pw' }, region: 'RegionOne' },
});
const keystone = { ...fixture, status: { syncedDatabase: synced } };
const connected = { configMap: 'identity-config-1', connectionDigest: 'abc' };
const elsewhere = { image: 'c5c3/keystone:2025.1', configMap: 'identity-config-1' };
const { config, fernetKeys } = mounted;
const keystoneManage = ['keystone-manage', '--config-dir=/etc/keystone/keystone.conf.d/'];

/** A Job without its key; only whether it has one is compared. */
function withoutKey({ metadata: { annotations = {}, ...metadata }, ...job }: Job) {
  assert.deepEqual(Object.keys(annotations), ['forge.c5c3.io/pod-spec-hash']);
  return { ...job, metadata };
}

/** The Job that the specification asks for: what all have in common, and these parts. */
function expected(
  component: string,
  spec: { backoffLimit: number; ttlSecondsAfterFinished?: number },
  parts: { container: object; volumes: object[]; pod?: object; annotations?: object; name?: string },
) {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: parts.name ?? `identity-${component}`, labels },
    spec: {
      ...spec,
      template: {
        metadata: {
          labels: jobLabels(component),
          ...(parts.annotations !== undefined && { annotations: parts.annotations }),
        },
        spec: {
          restartPolicy: 'Never',
          automountServiceAccountToken: false,
          ...parts.pod,
          containers: [
            {
              name: component,
              securityContext: restricted,
              terminationMessagePolicy: 'FallbackToLogsOnError',
              ...parts.container,
            },
          ],
          volumes: parts.volumes,
        },
      },
    },
  };
}

/** One that works on the database, with the image of the spec. */
const onDatabase = (component: string, backoffLimit: number, command: string[]) =>
  expected(
    component,
    { backoffLimit },
    {
      container: { image: 'c5c3/keystone:2025.2', command, env: jobConnection, volumeMounts: [config.mount] },
      volumes: [config.volume],
      pod: { priorityClassName: 'high' },
      annotations: { 'forge.c5c3.io/db-connection-hash': 'abc', 'forge.c5c3.io/database': synced },
    },
  );

describe('the Jobs, as a whole:', () => {
  test('those on the database', () => {
    assert.deepEqual(
      withoutKey(dbSyncJob(keystone, connected)),
      onDatabase('db-sync', 4, [...keystoneManage, 'db_sync']),
    );
    const check = 'keystone-manage --config-dir=/etc/keystone/keystone.conf.d/ db_sync --check';
    assert.deepEqual(
      withoutKey(schemaCheckJob(keystone, connected)),
      onDatabase('schema-check', 2, ['/bin/sh', '-eu', '-c', check]),
    );
    for (const phase of ['expand', 'migrate', 'contract'] as const) {
      assert.deepEqual(
        withoutKey(phaseJob(keystone, phase, connected)),
        onDatabase(`db-${phase}`, 4, [...keystoneManage, 'db_sync', `--${phase}`]),
      );
    }
  });

  test('the bootstrap, of the image and the configuration that serve', () => {
    const job = bootstrapJob(keystone, { ...elsewhere, adminPasswordDigest: 'def' });
    const url = 'http://identity.openstack.svc.cluster.local:5000/v3';
    const urls = ['admin', 'internal', 'public'].flatMap((each) => [`--bootstrap-${each}-url`, url]);
    const container = {
      image: 'c5c3/keystone:2025.1',
      command: [...keystoneManage, 'bootstrap', ...urls, '--bootstrap-region-id', 'RegionOne'],
      env: [
        {
          name: 'OS_BOOTSTRAP_PASSWORD',
          valueFrom: { secretKeyRef: { name: 'keystone-admin', key: 'pw' } },
        },
        { name: 'OS_CACHE__ENABLED', value: 'false' },
        ...jobConnection,
      ],
      volumeMounts: [config.mount, fernetKeys.mount],
    };
    const volumes = [config.volume, fernetKeys.volume];
    const spec = { backoffLimit: 4, ttlSecondsAfterFinished: 300 };
    const flush = job.spec?.template.spec?.initContainers?.[0];
    assert.deepEqual(
      [flush?.name, flush?.image, flush?.command?.slice(0, 2), flush?.command?.slice(3), flush?.securityContext],
      ['flush-cache', 'c5c3/keystone:2025.1', ['python3', '-c'], ['cache-0:11211', 'cache-1:11211'], restricted],
    );
    const pod = { priorityClassName: 'high', securityContext: { fsGroup: 42424 }, initContainers: [flush] };
    assert.deepEqual(withoutKey(job), expected('bootstrap', spec, { container, volumes, pod }));
  });

  test('the check of policies, of the image and the configuration that serve', () => {
    const container = {
      image: 'c5c3/keystone:2025.1',
      command: ['oslopolicy-validator', '--namespace', 'keystone', '--config-dir', '/etc/keystone/keystone.conf.d/'],
      volumeMounts: [config.mount],
    };
    const spec = { backoffLimit: 2, ttlSecondsAfterFinished: 300 };
    assert.deepEqual(
      withoutKey(policyValidationJob(keystone, elsewhere)),
      expected('validator', spec, { container, volumes: [config.volume], name: 'identity-policy-validation' }),
    );
  });

  test('the tag of their image, also of a registry with a port', () => {
    const image = { repository: 'registry.example:5000/c5c3/keystone', tag: '2025.2-p1' };
    assert.equal(imageTagOf(dbSyncJob(keystoneFixture({ image }), connected)), '2025.2-p1');
  });
});
