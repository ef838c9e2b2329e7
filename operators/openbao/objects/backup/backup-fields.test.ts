// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jobKeyOf } from '@forge/runtime/jobs/job-key.ts';
import { halfHourly } from '../../test/backups.ts';
import { ofSnapshots } from '../../test/fields/without-effect.ts';
import { openbaoFixture } from '../../test/openbao-fixture.ts';
import { backupJob } from './backup-job.ts';
import type { BackupSpec } from './backup-spec.ts';

const withTarget = (target: Partial<BackupSpec['target']>): BackupSpec => ({
  ...halfHourly,
  target: { ...halfHourly.target, ...target },
});

/** A change of each field. */
const changed: Readonly<Record<string, BackupSpec>> = {
  'spec.backup.executorImage': { ...halfHourly, executorImage: 'other' },
  'spec.backup.jwtAuthRole': { ...halfHourly, jwtAuthRole: 'other' },
  'spec.backup.retention': { ...halfHourly, retention: { maxCount: 1 } },
  'spec.backup.target.bucket': withTarget({ bucket: 'other' }),
  'spec.backup.target.concurrency': withTarget({ concurrency: 4 }),
  'spec.backup.target.credentialsSecretRef': withTarget({ credentialsSecretRef: { name: 'other' } }),
  'spec.backup.target.endpoint': withTarget({ endpoint: 'https://other.example.com' }),
  'spec.backup.target.partSize': withTarget({ partSize: 20_971_520 }),
  'spec.backup.target.pathPrefix': withTarget({ pathPrefix: 'other' }),
  'spec.backup.target.region': withTarget({ region: 'other' }),
  'spec.backup.target.roleArn': withTarget({ roleArn: 'arn:aws:iam::1:role/other' }),
  'spec.backup.target.usePathStyle': withTarget({ usePathStyle: false }),
  'spec.backup.tokenSecretRef': { ...halfHourly, tokenSecretRef: { name: 'other' } },
};

const keyOf = (backup: BackupSpec) =>
  jobKeyOf(
    backupJob(openbaoFixture(), backup, { name: 'backup', time: new Date('2026-01-31T03:00:00Z'), replicas: 3 }),
  );

test('the Job of a snapshot is another one when a field changes that has no effect before', () => {
  assert.deepEqual(Object.keys(changed), ofSnapshots);
  for (const [place, backup] of Object.entries(changed)) assert.notEqual(keyOf(backup), keyOf(halfHourly), place);
});
