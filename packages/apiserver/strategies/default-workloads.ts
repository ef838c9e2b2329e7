// SPDX-License-Identifier: Apache-2.0
import type { CronJob, Deployment, Job, Pod, ReplicaSet, StatefulSet } from '@forge/kube/builtin.ts';
import { defaultPodSpec, defaultPodTemplate, reserveLimits } from './default-pod-spec.ts';
import { defaultClaim } from './default-volumes.ts';

/** A pod with all that its writer may leave out. */
export function defaultPod(pod: Pod): Pod {
  if (pod.spec === undefined) return pod;
  const spec = defaultPodSpec(pod.spec);
  const { initContainers } = spec;
  return {
    ...pod,
    spec: {
      enableServiceLinks: true,
      ...spec,
      containers: spec.containers.map(reserveLimits),
      ...(initContainers !== undefined && { initContainers: initContainers.map(reserveLimits) }),
    },
  };
}

/** A deployment with all that its writer may leave out: it rolls a quarter of its pods at a time. */
export function defaultDeployment(deployment: Deployment): Deployment {
  const { spec } = deployment;
  if (spec === undefined) return deployment;
  const { type = 'RollingUpdate', rollingUpdate } = spec.strategy ?? {};
  const strategy =
    type === 'RollingUpdate'
      ? { type, rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%', ...rollingUpdate } }
      : { ...spec.strategy, type };
  return {
    ...deployment,
    spec: {
      replicas: 1,
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
      ...spec,
      template: defaultPodTemplate(spec.template),
      strategy,
    },
  };
}

/** A replica set with all that its writer may leave out. */
export function defaultReplicaSet(replicaSet: ReplicaSet): ReplicaSet {
  const { spec } = replicaSet;
  if (spec === undefined) return replicaSet;
  const { template } = spec;
  return {
    ...replicaSet,
    spec: { replicas: 1, ...spec, ...(template !== undefined && { template: defaultPodTemplate(template) }) },
  };
}

/** A stateful set with all that its writer may leave out. */
export function defaultStatefulSet(statefulSet: StatefulSet): StatefulSet {
  const { spec } = statefulSet;
  if (spec === undefined) return statefulSet;
  const { type = 'RollingUpdate', rollingUpdate } = spec.updateStrategy ?? {};
  const { volumeClaimTemplates } = spec;
  return {
    ...statefulSet,
    spec: {
      replicas: 1,
      podManagementPolicy: 'OrderedReady',
      revisionHistoryLimit: 10,
      ...spec,
      persistentVolumeClaimRetentionPolicy: {
        whenDeleted: 'Retain',
        whenScaled: 'Retain',
        ...spec.persistentVolumeClaimRetentionPolicy,
      },
      template: defaultPodTemplate(spec.template),
      updateStrategy: type === 'RollingUpdate' ? { type, rollingUpdate: { partition: 0, ...rollingUpdate } } : { type },
      ...(volumeClaimTemplates !== undefined && {
        volumeClaimTemplates: volumeClaimTemplates.map((claim) => ({
          ...defaultClaim(claim),
          apiVersion: 'v1' as const,
          kind: 'PersistentVolumeClaim' as const,
          status: { phase: 'Pending' as const },
        })),
      }),
    },
  };
}

/** A job with all that its writer may leave out. */
export function defaultJob(job: Job): Job {
  const { spec } = job;
  if (spec === undefined) return job;
  const once = spec.completions === undefined && spec.parallelism === undefined;
  const labels = job.metadata.labels ?? spec.template.metadata?.labels;
  return {
    ...job,
    metadata: { ...job.metadata, ...(labels !== undefined && { labels }) },
    spec: {
      parallelism: 1,
      ...(once && { completions: 1 }),
      backoffLimit: 6,
      completionMode: 'NonIndexed',
      suspend: false,
      podReplacementPolicy: spec.podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed',
      ...spec,
      template: defaultPodTemplate(spec.template),
    },
  };
}

/** A cron job with all that its writer may leave out. */
export function defaultCronJob(cronJob: CronJob): CronJob {
  const { spec } = cronJob;
  const { jobTemplate } = spec;
  const jobSpec = jobTemplate.spec;
  return {
    ...cronJob,
    spec: {
      concurrencyPolicy: 'Allow',
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
      ...spec,
      ...(jobSpec !== undefined && {
        jobTemplate: { ...jobTemplate, spec: { ...jobSpec, template: defaultPodTemplate(jobSpec.template) } },
      }),
    },
  };
}
