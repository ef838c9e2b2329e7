// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';
import type { PodTemplateSpec } from '@forge/kube/generated/types.ts';
import type { Job } from '@forge/kube/kinds/builtin.ts';
import { keyedJob } from '@forge/runtime/jobs/job-key.ts';
import { restrictedContainer, restrictedPod } from '@forge/runtime/objects/restricted-pod.ts';
import { snapshotKey } from '../../api/executor/snapshot-key.ts';
import { annotations, backupTypeLabel, componentLabel, components, labelsOf, namesOf } from '../../api/names.ts';
import type { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { backupEnvironment } from './backup-environment.ts';
import type { BackupSpec } from './backup-spec.ts';
import { backupVolumes } from './backup-volumes.ts';

/** Which snapshot a Job makes. */
export interface BackupRun {
  /** The name of the Job. */
  readonly name: string;
  /** The time that the snapshot is named after. */
  readonly time: Date;
  /** The value of the annotation that asked for it. */
  readonly trigger?: string | undefined;
  /** What it is for, if not for the schedule or a person: a label, and part of the name of the snapshot. */
  readonly type?: string | undefined;
  /** How many servers there may be. */
  readonly replicas: number;
}

/** User and group of the executor. */
const user = 1000;

/** Longer than the executor works; it also ends a Job whose pod cannot start. */
const deadlineSeconds = 2400;

/** How long people can look at a Job that has ended. */
const keptSeconds = 3600;

/** The Job that stores a snapshot. The same run always has the same name and stores under the same key. */
export function backupJob(cluster: OpenBaoCluster, backup: BackupSpec, run: BackupRun): Job {
  const { name, trigger } = run;
  const key = keyOf(cluster, backup, run);
  return keyedJob({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name,
      labels: jobLabels(cluster, run.type),
      annotations: {
        [annotations.backupKey]: key,
        ...(trigger !== undefined && { [annotations.triggerBackup]: trigger }),
      },
    },
    spec: {
      backoffLimit: 0,
      activeDeadlineSeconds: deadlineSeconds,
      ttlSecondsAfterFinished: keptSeconds,
      template: podTemplate(cluster, backup, { ...run, key }),
    },
  });
}

const jobLabels = (cluster: OpenBaoCluster, type: string | undefined) => ({
  ...labelsOf(cluster),
  [componentLabel]: components.backup,
  ...(type !== undefined && { [backupTypeLabel]: type }),
});

function keyOf({ metadata }: OpenBaoCluster, { target }: BackupSpec, { name, time, type }: BackupRun): string {
  const owner = { namespace: metadata.namespace ?? '', name: metadata.name, pathPrefix: target.pathPrefix };
  const id = createHash('sha256').update(`${metadata.uid} ${name}`).digest('hex').slice(0, 8);
  return snapshotKey(owner, { time, id, filenamePrefix: type });
}

function podTemplate(
  cluster: OpenBaoCluster,
  backup: BackupSpec,
  { key, replicas, type }: BackupRun & { readonly key: string },
): PodTemplateSpec {
  const volumes = backupVolumes(cluster, backup);
  return {
    metadata: { labels: jobLabels(cluster, type) },
    spec: {
      serviceAccountName: namesOf(cluster).backupServiceAccount,
      automountServiceAccountToken: false,
      restartPolicy: 'Never',
      securityContext: restrictedPod(user),
      containers: [
        {
          name: 'backup',
          image: backup.executorImage,
          env: backupEnvironment(cluster, backup, { replicas, key, filePrefix: type }),
          securityContext: restrictedContainer,
          // The last line of an executor that could not say why it failed.
          terminationMessagePolicy: 'FallbackToLogsOnError',
          volumeMounts: volumes.map(({ mount }) => mount),
        },
      ],
      volumes: volumes.map(({ volume }) => volume),
    },
  };
}
