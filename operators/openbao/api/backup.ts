// SPDX-License-Identifier: Apache-2.0
import { int32, nonEmpty } from '@forge/kube/schema/field.ts';
import { fieldRule, rules } from '@forge/kube/schema/rules.ts';
import { Type } from 'typebox';
import { schemaRule } from './cel-rule.ts';
import { duration } from './duration.ts';
import { backupAuthRule, endpointRule, scheduleRule, storageAuthRule } from './job-rules.ts';
import { jobSecretRef } from './secret-ref.ts';

const target = Type.Object(
  {
    endpoint: Type.String({
      description: 'URL of the S3 service.',
      minLength: 1,
      maxLength: 2048,
      ...schemaRule(endpointRule('self')),
    }),
    bucket: nonEmpty('Bucket that snapshots are stored in.', { maxLength: 256 }),
    region: Type.String({ default: 'us-east-1', description: 'Region of the bucket.', maxLength: 128 }),
    pathPrefix: Type.Optional(Type.String({ description: 'Prefix of the names of snapshots.', maxLength: 512 })),
    roleArn: Type.Optional(
      nonEmpty('Role that Jobs take on by web identity; it takes precedence over credentialsSecretRef.', {
        maxLength: 2048,
      }),
    ),
    credentialsSecretRef: Type.Optional(
      jobSecretRef(
        'Secret with the keys "accessKeyId" and "secretAccessKey", and optionally "sessionToken", "region" and "caCert".',
      ),
    ),
    usePathStyle: Type.Boolean({
      default: false,
      description: 'Whether the bucket is part of the path, not of the host name.',
    }),
    partSize: Type.Integer({
      default: 10_485_760,
      minimum: 5_242_880,
      format: 'int64',
      description: 'Bytes of each part of an upload.',
    }),
    concurrency: int32('Parts that are sent at the same time.', { default: 3, minimum: 1, maximum: 10 }),
  },
  {
    description: 'Where snapshots are stored.',
    ...schemaRule(storageAuthRule('self')),
  },
);

/** Snapshots on a schedule. */
export const backup = Type.Object(
  {
    schedule: Type.String({
      description: 'When snapshots are made: a cron expression with five fields, in UTC.',
      maxLength: 256,
      ...schemaRule(scheduleRule('self')),
    }),
    executorImage: nonEmpty('Image of the Jobs that make snapshots.', { maxLength: 1024 }),
    jwtAuthRole: Type.Optional(nonEmpty('Role of the auth method jwt that backups log in with.', { maxLength: 256 })),
    tokenSecretRef: Type.Optional(
      jobSecretRef('Secret with a token for backups under the key "token"; ignored when jwtAuthRole is set.'),
    ),
    preUpgradeSnapshot: Type.Boolean({ default: false, description: 'Whether every upgrade begins with a snapshot.' }),
    retention: Type.Optional(
      Type.Object(
        {
          maxCount: int32('How many snapshots are kept; 0 for all.', { default: 0, minimum: 0 }),
          maxAge: Type.Optional(duration('How long snapshots are kept.')),
        },
        { description: 'Which snapshots are kept; all when absent.' },
      ),
    ),
    target,
  },
  {
    description: 'Snapshots on a schedule, stored in S3.',
    ...rules(
      fieldRule(
        '.preUpgradeSnapshot',
        '!self.preUpgradeSnapshot || has(self.jwtAuthRole) || has(self.tokenSecretRef)',
        {
          message: 'spec.backup needs jwtAuthRole or tokenSecretRef for preUpgradeSnapshot',
        },
      ),
      schemaRule(backupAuthRule('self'), '.jwtAuthRole'),
    ),
  },
);
