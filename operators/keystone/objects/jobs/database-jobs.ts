// SPDX-License-Identifier: Apache-2.0
import type { Job } from '@forge/kube/kinds/builtin.ts';
import type { Keystone } from '../../api/keystone.ts';
import { databaseAnnotation, dbConnectionHashAnnotation, namesOf } from '../../api/names.ts';
import { configMount, jobTemplate } from '../pod.ts';
import { keystoneJob, keystoneManage } from './job.ts';

/** The inputs of Jobs on the database besides the resource. */
export interface DatabaseJobInputs {
  configMap: string;
  /** Keyed digest of the connection URL: a corrected host or a new password means another run. */
  connectionDigest: string;
}

/** A phase of an upgrade that works on the schema. */
export type SchemaPhase = 'expand' | 'migrate' | 'contract';

/** Brings the database schema to the release of the image. */
export function dbSyncJob(keystone: Keystone, inputs: DatabaseJobInputs): Job {
  const command = [...keystoneManage, 'db_sync'];
  return databaseJob(keystone, inputs, { name: namesOf(keystone).dbSync, component: 'db-sync', command });
}

/** Verifies that the schema is the one the release expects. */
export function schemaCheckJob(keystone: Keystone, inputs: DatabaseJobInputs): Job {
  const command = ['/bin/sh', '-eu', '-c', [...keystoneManage, 'db_sync', '--check'].join(' ')];
  const name = namesOf(keystone).schemaCheck;
  return databaseJob(keystone, inputs, { name, component: 'schema-check', command, backoffLimit: 2 });
}

/** Takes the schema through a phase of an upgrade, with the release that it leads to. */
export function phaseJob(keystone: Keystone, phase: SchemaPhase, inputs: DatabaseJobInputs): Job {
  const command = [...keystoneManage, 'db_sync', `--${phase}`];
  return databaseJob(keystone, inputs, { name: phaseJobName(keystone, phase), component: `db-${phase}`, command });
}

/** Name of the Job of a phase. */
export function phaseJobName(keystone: Keystone, phase: SchemaPhase): string {
  const { dbExpand, dbMigrate, dbContract } = namesOf(keystone);
  return { expand: dbExpand, migrate: dbMigrate, contract: dbContract }[phase];
}

/** Tag of the image that a Job runs. */
export function imageTagOf({ spec }: Job): string {
  const image = spec?.template.spec?.containers[0]?.image ?? '';
  return image.slice(image.lastIndexOf(':') + 1);
}

function databaseJob(
  keystone: Keystone,
  { configMap, connectionDigest }: DatabaseJobInputs,
  options: { name: string; component: string; command: string[]; backoffLimit?: number },
): Job {
  const { name, component, command, backoffLimit = 4 } = options;
  const database = keystone.status?.syncedDatabase;
  const template = jobTemplate(keystone, {
    component,
    command,
    mounts: [configMount(configMap)],
    annotations: {
      [dbConnectionHashAnnotation]: connectionDigest,
      ...(database !== undefined && { [databaseAnnotation]: database }),
    },
  });
  return keystoneJob(keystone, name, { backoffLimit, template });
}
