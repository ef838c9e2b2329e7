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

/** Times never told are shown all the same. */
const untimed = defaults<PodCondition>({ lastProbeTime: null as never, lastTransitionTime: null as never });

/** A pod with all that its writer may leave out. */
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

/** How a deployment rolls out unless it says otherwise: a quarter of its pods at a time. */
const strategy: Defaults<DeploymentStrategy> = chain<DeploymentStrategy>(defaults({ type: 'RollingUpdate' }), (value) =>
  value.type === 'RollingUpdate' ? rollingDeployment(value) : value,
);
const rollingDeployment = defaults<DeploymentStrategy>(
  { rollingUpdate: {} },
  { rollingUpdate: defaults({ maxUnavailable: '25%', maxSurge: '25%' }) },
);

/** A deployment with all that its writer may leave out. */
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

/** A daemon set with all that its writer may leave out. */
export const defaultDaemonSet = defaults<DaemonSet>(
  {},
  {
    spec: defaults(
      { revisionHistoryLimit: 10, updateStrategy: {} },
      { template: defaultPodTemplate, updateStrategy: daemonStrategy },
    ),
  },
);

/** A replication controller without selector or labels has those of its template. */
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

/** A replication controller with all that its writer may leave out. */
export const defaultReplicationController: Defaults<ReplicationController> = chain<ReplicationController>(
  defaults({}, { spec: defaults({ replicas: 1 }, { template: defaultPodTemplate }) }),
  byTemplate,
);

/** A replica set with all that its writer may leave out. */
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

/** A stateful set with all that its writer may leave out. */
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

/** Who names neither number wants one pod. */
function onePod(spec: JobSpec): JobSpec {
  const { completions, parallelism } = spec;
  return completions === undefined && parallelism === undefined ? { ...spec, completions: 1 } : spec;
}

/** Who has rules for failed pods sees them fail before there are others. */
function replacement(spec: JobSpec): JobSpec {
  return { podReplacementPolicy: spec.podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed', ...spec };
}

/** A job without labels has those of its template. */
function labelled(job: Job): Job {
  const { metadata, spec } = job;
  const labels = spec?.template.metadata?.labels;
  return metadata.labels === undefined && labels !== undefined ? { ...job, metadata: { ...metadata, labels } } : job;
}

/** A job with all that its writer may leave out. */
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

/** A cron job with all that its writer may leave out. */
export const defaultCronJob = defaults<CronJob>(
  {},
  {
    spec: defaults(
      { concurrencyPolicy: 'Allow', suspend: false, successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 },
      { jobTemplate: defaults({}, { spec: defaults({}, { template: defaultPodTemplate }) }) },
    ),
  },
);
