// SPDX-License-Identifier: Apache-2.0
import type { PodTemplateSpec } from '@forge/kube/generated/types.ts';
import type { Job } from '@forge/kube/kinds/builtin.ts';
import { keyedJob } from '@forge/runtime/jobs/job-key.ts';
import type { Keystone } from '../keystone.ts';
import { commonLabels, internalUrl, namesOf } from '../names.ts';
import { configDir, configMount, fernetKeysMount, jobTemplate } from './pod.ts';
import { adminPasswordKey } from './secret-keys.ts';

const keystoneManage = ['keystone-manage', `--config-dir=${configDir}`];

/** Brings the database schema to the release of the image. */
export function dbSyncJob(keystone: Keystone, configMap: string): Job {
  return job(keystone, namesOf(keystone).dbSync, {
    backoffLimit: 4,
    template: jobTemplate(keystone, {
      component: 'db-sync',
      command: [...keystoneManage, 'db_sync'],
      mounts: [configMount(configMap)],
      restartPolicy: 'OnFailure',
    }),
  });
}

/** Verifies that the schema is the one the release expects. */
export function schemaCheckJob(keystone: Keystone, configMap: string): Job {
  return job(keystone, namesOf(keystone).schemaCheck, {
    backoffLimit: 2,
    template: jobTemplate(keystone, {
      component: 'schema-check',
      command: ['/bin/sh', '-eu', '-c', [...keystoneManage, 'db_sync', '--check'].join(' ')],
      mounts: [configMount(configMap)],
      restartPolicy: 'Never',
    }),
  });
}

/** What bootstrap is made from beside the resource itself. */
interface BootstrapInputs {
  configMap: string;
  /** Keyed digest of the administrator's password: another password means another run. */
  adminPasswordDigest: string;
}

/** Creates the first administrator, project, roles and catalog entries; keyed by what it writes, not by image or config. */
export function bootstrapJob(keystone: Keystone, { configMap, adminPasswordDigest }: BootstrapInputs): Job {
  const { adminPasswordSecretRef } = keystone.spec.bootstrap;
  const bootstrap = bootstrapArguments(keystone);
  const template = jobTemplate(keystone, {
    component: 'bootstrap',
    command: [...keystoneManage, 'bootstrap', ...bootstrap],
    // By environment: arguments show in the process list.
    env: [
      {
        name: 'OS_BOOTSTRAP_PASSWORD',
        valueFrom: { secretKeyRef: { name: adminPasswordSecretRef.name, key: adminPasswordKey(keystone) } },
      },
    ],
    mounts: [configMount(configMap), fernetKeysMount(keystone)],
    restartPolicy: 'OnFailure',
  });
  const does = [keystone.metadata.uid, adminPasswordDigest, bootstrap];
  return job(keystone, namesOf(keystone).bootstrap, { backoffLimit: 4, ttlSecondsAfterFinished: 300, template, does });
}

function bootstrapArguments(keystone: Keystone): string[] {
  const { adminUser, publicEndpoint, region } = keystone.spec.bootstrap;
  const internal = internalUrl(keystone);
  return [
    '--bootstrap-admin-url',
    internal,
    '--bootstrap-internal-url',
    internal,
    '--bootstrap-public-url',
    publicEndpoint ?? internal,
    '--bootstrap-region-id',
    region,
    ...(adminUser === 'admin' ? [] : ['--bootstrap-username', adminUser]),
  ];
}

/** Why a Job failed, for a condition. */
export function failureOf(keystone: Keystone, { metadata }: Job): string {
  return `job has permanently failed: ${keystone.metadata.namespace}/${metadata.name}`;
}

interface JobOptions {
  backoffLimit: number;
  ttlSecondsAfterFinished?: number;
  template: PodTemplateSpec;
  /** What the Job does; two Jobs that do the same are one run. Default: the pod template. */
  does?: unknown;
}

function job(keystone: Keystone, name: string, { does, ...spec }: JobOptions): Job {
  const metadata = { name, labels: commonLabels(keystone) };
  return keyedJob({ apiVersion: 'batch/v1', kind: 'Job', metadata, spec }, does ?? spec.template);
}
