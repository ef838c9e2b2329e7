// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { jobKeyOf } from '@forge/runtime/jobs/job-key.ts';
import { halfHourly } from '../../test/backups.ts';
import { labels } from '../../test/expected-labels.ts';
import { openbaoFixture } from '../../test/openbao-fixture.ts';
import { backupJob } from './backup-job.ts';
import type { BackupSpec } from './backup-spec.ts';

const withToken: BackupSpec = { ...halfHourly, target: { ...halfHourly.target, usePathStyle: false } };

const withRoles: BackupSpec = {
  ...withToken,
  jwtAuthRole: 'backup',
  retention: { maxCount: 7, maxAge: '168h' },
  target: { ...withToken.target, pathPrefix: '/bao/', roleArn: 'arn:aws:iam::1:role/r', usePathStyle: true },
};

const fixture = openbaoFixture();
const cluster = { ...fixture, metadata: { ...fixture.metadata, uid: 'a-uid' } };
const run = { name: 'backup-demo-20260131-030000', time: new Date('2026-01-31T03:00:00Z'), replicas: 3 };

const jobOf = (backup: BackupSpec, more: object = {}, of = cluster) => backupJob(of, backup, { ...run, ...more });
const podOf = (...args: Parameters<typeof jobOf>) => jobOf(...args).spec?.template.spec;
const environmentOf = (...args: Parameters<typeof jobOf>) =>
  Object.fromEntries(podOf(...args)?.containers[0]?.env?.map(({ name, value }) => [name, value]) ?? []);
const keyOf = (...args: Parameters<typeof jobOf>) => jobOf(...args).metadata.annotations?.['openbao.org/backup-key'];

const authority = { secretName: 'demo-tls-ca', items: [{ key: 'ca.crt', path: 'ca.crt' }] };
const token = (audience: string, path: string) => ({
  defaultMode: 0o400,
  sources: [{ serviceAccountToken: { audience, expirationSeconds: 3600, path } }],
});

/** The volume with the CA. */
function authorityOf(mode: 'External' | 'ACME') {
  const { spec, ...rest } = cluster;
  return podOf(withToken, {}, { ...rest, spec: { ...spec, tls: { enabled: true, mode } } })?.volumes?.[0];
}

describe('the Job of a snapshot', () => {
  test('runs once, hardened, for a limited time, and cleans up after itself', () => {
    const { metadata, spec } = jobOf(withToken);
    const ownLabels = { ...labels, 'openbao.org/component': 'backup' };
    assert.deepEqual([metadata.name, metadata.labels], ['backup-demo-20260131-030000', ownLabels]);
    const { template, ...limits } = spec ?? {};
    assert.deepEqual(limits, { backoffLimit: 0, activeDeadlineSeconds: 2400, ttlSecondsAfterFinished: 3600 });
    assert.deepEqual(template?.metadata, { labels: ownLabels });
    const { containers = [], volumes: _, ...pod } = template.spec ?? {};
    assert.deepEqual(pod, {
      serviceAccountName: 'demo-backup-serviceaccount',
      automountServiceAccountToken: false,
      restartPolicy: 'Never',
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 1000,
        runAsGroup: 1000,
        fsGroup: 1000,
        seccompProfile: { type: 'RuntimeDefault' },
      },
    });
    const [{ env: _env, volumeMounts: _mounts, ...container } = {}, ...others] = containers;
    assert.deepEqual(others, []);
    assert.deepEqual(container, {
      name: 'backup',
      image: 'c5c3/openbao-executor:0.1.0',
      securityContext: {
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
        readOnlyRootFilesystem: true,
      },
      terminationMessagePolicy: 'FallbackToLogsOnError',
    });
  });

  test('has the token, the credentials, and the CA without its key', () => {
    const { volumes, containers } = podOf(withToken) ?? {};
    assert.deepEqual(volumes, [
      { name: 'tls-ca', secret: authority },
      { name: 'credentials', secret: { secretName: 's3', defaultMode: 0o400 } },
      {
        name: 'token',
        secret: { secretName: 'backup-token', defaultMode: 0o400, items: [{ key: 'token', path: 'token' }] },
      },
    ]);
    assert.deepEqual(containers?.[0]?.volumeMounts, [
      { name: 'tls-ca', mountPath: '/etc/bao/tls', readOnly: true },
      { name: 'credentials', mountPath: '/etc/bao/backup/credentials', readOnly: true },
      { name: 'token', mountPath: '/etc/bao/backup/token', readOnly: true },
    ]);
  });

  test('trusts former CAs, too, where the Secret of the CA is not ours, and well-known ones where there may be none', () => {
    const { secretName: _, ...items } = authority;
    assert.deepEqual(authorityOf('External'), { name: 'tls-ca', configMap: { name: 'demo-tls-trusted', ...items } });
    assert.deepEqual(authorityOf('ACME'), { name: 'tls-ca', secret: { ...authority, optional: true } });
  });

  test('has tokens of its ServiceAccount instead where roles are given', () => {
    const { volumes, containers } = podOf(withRoles) ?? {};
    assert.deepEqual(volumes, [
      { name: 'tls-ca', secret: authority },
      { name: 'credentials', secret: { secretName: 's3', defaultMode: 0o400, optional: true } },
      { name: 'aws-token', projected: token('sts.amazonaws.com', 'token') },
      { name: 'openbao-token', projected: token('openbao-internal', 'openbao-token') },
    ]);
    assert.deepEqual(
      containers?.[0]?.volumeMounts?.map(({ mountPath }) => mountPath),
      ['/etc/bao/tls', '/etc/bao/backup/credentials', '/var/run/secrets/aws', '/var/run/secrets/tokens'],
    );
  });

  test('says in its environment what to save, and where to', () => {
    assert.deepEqual(environmentOf(withToken), {
      CLUSTER_NAMESPACE: 'default',
      CLUSTER_NAME: 'demo',
      CLUSTER_REPLICAS: '3',
      STATEFULSET_NAME: 'demo',
      BACKUP_ENDPOINT: 'https://s3.example.com',
      BACKUP_BUCKET: 'snapshots',
      BACKUP_REGION: 'us-east-1',
      BACKUP_USE_PATH_STYLE: 'false',
      BACKUP_PART_SIZE: '10485760',
      BACKUP_CONCURRENCY: '3',
      BACKUP_AUTH_METHOD: 'token',
      BACKUP_KEY: keyOf(withToken),
    });
  });

  test('says which roles to use, and which snapshots to keep', () => {
    const { CLUSTER_REPLICAS: replicas, ...environment } = environmentOf(withRoles, { replicas: 5 });
    assert.equal(replicas, '5');
    assert.deepEqual(
      Object.fromEntries(Object.entries(environment).filter(([name]) => !(name in environmentOf(withToken)))),
      {
        BACKUP_PATH_PREFIX: '/bao/',
        BACKUP_JWT_AUTH_ROLE: 'backup',
        BACKUP_RETENTION_MAX_COUNT: '7',
        BACKUP_RETENTION_MAX_AGE: '168h',
        AWS_ROLE_ARN: 'arn:aws:iam::1:role/r',
        AWS_WEB_IDENTITY_TOKEN_FILE: '/var/run/secrets/aws/token',
      },
    );
    assert.deepEqual([environment['BACKUP_AUTH_METHOD'], environment['BACKUP_USE_PATH_STYLE']], ['jwt', 'true']);
  });

  test('trusts, with ACME, the domain of the certificate, and a CA if there is one', () => {
    const acme = openbaoFixture({
      tls: {
        enabled: true,
        mode: 'ACME',
        acme: { directoryURL: 'https://acme.example/dir', domains: ['bao.example'] },
      },
    });
    assert.equal(environmentOf(withToken, {}, acme as typeof cluster)['CLUSTER_TLS_SERVER_NAME'], 'bao.example');
    const [volume] = podOf(withToken, {}, acme as typeof cluster)?.volumes ?? [];
    assert.deepEqual(volume?.secret, { ...authority, optional: true });
  });

  test('carries the name of the snapshot, which is that of its time and its own', () => {
    assert.match(keyOf(withRoles) ?? '', /^bao\/default\/demo\/2026-01-31T03-00-00Z-[0-9a-f]{8}\.snap$/);
    assert.equal(keyOf(withToken), keyOf({ ...withToken, executorImage: 'other' }));
    const others = [
      keyOf(withToken, { name: 'another' }),
      keyOf(withToken, {}, { ...cluster, metadata: { ...cluster.metadata, uid: 'another' } }),
    ];
    assert.ok(others.every((other) => other !== keyOf(withToken)));
  });

  test('carries what asked for it', () => {
    assert.equal(jobOf(withToken, { trigger: 'now' }).metadata.annotations?.['openbao.org/trigger-backup'], 'now');
    const { metadata, spec } = jobOf(withToken, { type: 'pre-upgrade' });
    assert.equal(metadata.labels?.['openbao.org/backup-type'], 'pre-upgrade');
    assert.equal(spec?.template.metadata?.labels?.['openbao.org/backup-type'], 'pre-upgrade');
    assert.equal(environmentOf(withToken, { type: 'pre-upgrade' })['BACKUP_FILENAME_PREFIX'], 'pre-upgrade');
    assert.match(keyOf(withToken, { type: 'pre-upgrade' }) ?? '', /\/pre-upgrade-2026-/);
  });

  test('is another one when its pod would differ', () => {
    assert.equal(jobKeyOf(jobOf(withToken)), jobKeyOf(jobOf(withToken)));
    assert.notEqual(jobKeyOf(jobOf(withToken)), jobKeyOf(jobOf({ ...withToken, executorImage: 'other' })));
  });
});
