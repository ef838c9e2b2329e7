// SPDX-License-Identifier: Apache-2.0
import { sealTypes, seals } from '../../api/seals.ts';

/** What has no effect before the first snapshot; `objects/backup/backup-fields.test.ts` proves that each changes its Job. */
export const ofSnapshots = [
  'spec.backup.executorImage',
  'spec.backup.jwtAuthRole',
  'spec.backup.retention',
  'spec.backup.target.bucket',
  'spec.backup.target.concurrency',
  'spec.backup.target.credentialsSecretRef',
  'spec.backup.target.endpoint',
  'spec.backup.target.partSize',
  'spec.backup.target.pathPrefix',
  'spec.backup.target.region',
  'spec.backup.target.roleArn',
  'spec.backup.target.usePathStyle',
  'spec.backup.tokenSecretRef',
];

/** What this version of the operator accepts and does not act on yet; to be shortened with each part that comes. */
const notYet = ['spec.imageVerification', 'spec.updateStrategy.blueGreen', 'spec.upgrade.executorImage'];

/** What changes nothing before the first pod, or ever. */
const lasting = [
  // Devices are written, and pods replaced, once the cluster is initialised.
  'spec.audit',
  'spec.backup.preUpgradeSnapshot',
  'spec.upgrade.tokenSecretRef',
  // It decides when snapshots are made, which the flows of backups prove.
  'spec.backup.schedule',
  // It decides what is deleted with the resource.
  'spec.deletionPolicy',
  // Accepted, and ignored.
  'spec.initContainer',
  ...sealFields(({ attribute, credential }) => attribute === undefined && credential === undefined),
];

/** Fields whose changes have no effect before the first pod. */
export const withoutAnyEffect = [...ofSnapshots, ...notYet, ...lasting];

/** Fields that are refused whatever their value: credentials belong into a Secret. */
export const neverAccepted = sealFields(({ credential }) => credential !== undefined);

function sealFields(matches: (field: { attribute?: string; credential?: string }) => boolean): string[] {
  return sealTypes.flatMap((type) => {
    const { block, fields } = seals[type];
    const names = Object.entries(fields).flatMap(([name, field]) => (matches(field) ? [name] : []));
    return names.map((name) => `spec.unseal.${block}.${name}`);
  });
}
