// SPDX-License-Identifier: Apache-2.0
import type {
  DaemonSetUpdateStrategy,
  DeploymentStrategy,
  JobSpec,
  PodCondition,
  StatefulSetUpdateStrategy,
} from '@forge/kube/generated/types.ts';
import type {
  CronJob,
  DaemonSet,
  Deployment,
  Job,
  Pod,
  ReplicaSet,
  ReplicationController,
  StatefulSet,
} from '@forge/kube/kinds/builtin.ts';
import { defaultPodSpec, defaultPodTemplate, requestsFromLimits } from './default-pod-spec.ts';
import { claimSpec } from './default-volumes.ts';
import { defaults, eachItem, chain, type Defaults } from './defaults.ts';

/** Unset times are serialized as null. */
const untimed = defaults<PodCondition>({ lastProbeTime: null as never, lastTransitionTime: null as never });

/** Defaults of pods. */
export const defaultPod = defaults<Pod>(
  {},
  {
    spec: chain(
      defaultPodSpec,
      defaults(
        { enableServiceLinks: true },
        { containers: eachItem(requestsFromLimits), initContainers: eachItem(requestsFromLimits) },
      ),
    ),
    status: defaults({}, { conditions: eachItem(untimed) }),
  },
);

/** Default rollout of deployments: 25% at a time. */
const strategy: Defaults<DeploymentStrategy> = chain<DeploymentStrategy>(defaults({ type: 'RollingUpdate' }), (value) =>
  value.type === 'RollingUpdate' ? rollingDeployment(value) : value,
);
const rollingDeployment = defaults<DeploymentStrategy>(
  { rollingUpdate: {} },
  { rollingUpdate: defaults({ maxUnavailable: '25%', maxSurge: '25%' }) },
);

/** Defaults of deployments. */
export const defaultDeployment = defaults<Deployment>(
  {},
  {
    spec: defaults(
      { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 },
      { template: defaultPodTemplate, strategy },
    ),
  },
);

const daemonStrategy: Defaults<DaemonSetUpdateStrategy> = chain<DaemonSetUpdateStrategy>(
  defaults({ type: 'RollingUpdate' }),
  (value) => (value.type === 'RollingUpdate' ? rollingDaemonSet(value) : value),
);
const rollingDaemonSet = defaults<DaemonSetUpdateStrategy>(
  { rollingUpdate: {} },
  { rollingUpdate: defaults({ maxUnavailable: 1, maxSurge: 0 }) },
);

/** Defaults of daemon sets. */
export const defaultDaemonSet = defaults<DaemonSet>(
  {},
  {
    spec: defaults(
      { revisionHistoryLimit: 10, updateStrategy: {} },
      { template: defaultPodTemplate, updateStrategy: daemonStrategy },
    ),
  },
);

/** Selector and labels default to those of the template. */
function byTemplate(controller: ReplicationController): ReplicationController {
  const { metadata, spec } = controller;
  const labels = spec?.template?.metadata?.labels;
  if (spec === undefined || labels === undefined) return controller;
  return {
    ...controller,
    metadata: { ...metadata, labels: Object.keys(metadata.labels ?? {}).length === 0 ? labels : metadata.labels },
    spec: { ...spec, selector: Object.keys(spec.selector ?? {}).length === 0 ? labels : spec.selector },
  } as ReplicationController;
}

/** Defaults of replication controllers. */
export const defaultReplicationController: Defaults<ReplicationController> = chain<ReplicationController>(
  defaults({}, { spec: defaults({ replicas: 1 }, { template: defaultPodTemplate }) }),
  byTemplate,
);

/** Defaults of replica sets. */
export const defaultReplicaSet = defaults<ReplicaSet>(
  {},
  { spec: defaults({ replicas: 1 }, { template: defaultPodTemplate }) },
);

const updateStrategy: Defaults<StatefulSetUpdateStrategy> = chain<StatefulSetUpdateStrategy>(
  defaults({ type: 'RollingUpdate' }),
  (value) => (value.type === 'RollingUpdate' ? rollingStatefulSet(value) : value),
);
const rollingStatefulSet = defaults<StatefulSetUpdateStrategy>(
  { rollingUpdate: {} },
  { rollingUpdate: defaults({ partition: 0 }) },
);

/** Defaults of stateful sets. */
export const defaultStatefulSet = defaults<StatefulSet>(
  {},
  {
    spec: defaults(
      {
        replicas: 1,
        podManagementPolicy: 'OrderedReady',
        revisionHistoryLimit: 10,
        updateStrategy: {},
        persistentVolumeClaimRetentionPolicy: {},
      },
      {
        persistentVolumeClaimRetentionPolicy: defaults({ whenDeleted: 'Retain', whenScaled: 'Retain' }),
        template: defaultPodTemplate,
        updateStrategy,
        volumeClaimTemplates: eachItem(
          defaults(
            { apiVersion: 'v1', kind: 'PersistentVolumeClaim' },
            { spec: claimSpec, status: defaults({ phase: 'Pending' }) },
          ),
        ),
      },
    ),
  },
);

/** Without completions and parallelism, completions is 1. */
function onePod(spec: JobSpec): JobSpec {
  const { completions, parallelism } = spec;
  return completions === undefined && parallelism === undefined ? { ...spec, completions: 1 } : spec;
}

/** podReplacementPolicy is Failed when there is a podFailurePolicy. */
function replacement(spec: JobSpec): JobSpec {
  return { podReplacementPolicy: spec.podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed', ...spec };
}

/** Labels default to those of the template. */
function labelled(job: Job): Job {
  const { metadata, spec } = job;
  const labels = spec?.template.metadata?.labels;
  return metadata.labels === undefined && labels !== undefined ? { ...job, metadata: { ...metadata, labels } } : job;
}

/** Defaults of jobs. */
export const defaultJob: Defaults<Job> = chain<Job>(
  defaults(
    {},
    {
      spec: chain(
        onePod,
        replacement,
        defaults(
          { parallelism: 1, backoffLimit: 6, completionMode: 'NonIndexed', suspend: false, manualSelector: false },
          { template: defaultPodTemplate },
        ),
      ),
    },
  ),
  labelled,
);

/** Defaults of cron jobs. */
export const defaultCronJob = defaults<CronJob>(
  {},
  {
    spec: defaults(
      { concurrencyPolicy: 'Allow', suspend: false, successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 },
      { jobTemplate: defaults({}, { spec: defaults({}, { template: defaultPodTemplate }) }) },
    ),
  },
);
