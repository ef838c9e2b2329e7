// SPDX-License-Identifier: Apache-2.0
import type {
  DeploymentStrategy,
  DaemonSetUpdateStrategy,
  StatefulSetUpdateStrategy,
} from '@forge/kube/generated/types.ts';
import type {
  Deployment,
  DaemonSet,
  ReplicationController,
  ReplicaSet,
  StatefulSet,
} from '@forge/kube/kinds/builtin.ts';
import { defaultPodTemplate } from './default-pod-spec.ts';
import { defaults, chain, type Defaults, eachItem } from './defaults.ts';
import { claimSpec } from './storage.ts';

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
