// SPDX-License-Identifier: Apache-2.0
import type {
  RollingUpdateDeployment,
  DeploymentStrategy,
  DeploymentSpec,
  DeploymentStatus,
  RollingUpdateDaemonSet,
  DaemonSetUpdateStrategy,
  DaemonSetSpec,
  DaemonSetStatus,
  ReplicationControllerSpec,
  LabelSelector,
  ReplicaSetSpec,
  StatefulSetSpec,
} from '@forge/kube/generated/types.ts';
import type {
  Deployment,
  DaemonSet,
  ReplicationController,
  ControllerRevision,
  ReplicaSet,
  StatefulSet,
} from '@forge/kube/kinds/builtin.ts';
import { dnsLabelProblem } from '../../formats/names.ts';
import type { Rule } from '../inspection.ts';
import { runningTemplate, selectedTemplate, matching } from '../pods/template-rules.ts';
import { all, fields, given, change, fixed, validation, each, equalExcept } from '../rule.ts';
import { atMostHundredPercent, countOrPercent, count, oneOf, text } from '../value-rules.ts';
import { claimSpec } from './storage.ts';

/** Whether a count or percentage is zero. */
function isNone(share: number | string | undefined): boolean {
  return share === 0 || /^0+%$/.test(String(share));
}

const rollingUpdate: Rule<RollingUpdateDeployment> = all<RollingUpdateDeployment>(
  fields({ maxUnavailable: countOrPercent, maxSurge: countOrPercent }),
  given(({ maxUnavailable, maxSurge }, at) => {
    if (isNone(maxUnavailable) && isNone(maxSurge)) {
      at.invalid(maxUnavailable, 'may not be 0 when `maxSurge` is 0', 'maxUnavailable');
    }
    // Only maxUnavailable has an upper limit.
    at.inside('maxUnavailable', maxUnavailable, atMostHundredPercent);
  }),
);

const strategy: Rule<DeploymentStrategy> = given(({ type, rollingUpdate: rolling }, at) => {
  if (type === 'RollingUpdate') at.inside('rollingUpdate', rolling, rollingUpdate);
  else if (type !== 'Recreate') {
    // kube-apiserver prints Go field names here.
    at.unsupported({ Type: type, RollingUpdate: rolling ?? null }, ['Recreate', 'RollingUpdate']);
  } else if (rolling !== undefined) {
    at.forbidden("may not be specified when strategy `type` is 'Recreate'", 'rollingUpdate');
  }
});

const deadline: Rule<DeploymentSpec> = given(({ progressDeadlineSeconds, minReadySeconds = 0 }, at) => {
  at.inside('progressDeadlineSeconds', progressDeadlineSeconds, count);
  if (progressDeadlineSeconds !== undefined && progressDeadlineSeconds <= minReadySeconds) {
    at.invalid(progressDeadlineSeconds, 'must be greater than minReadySeconds', 'progressDeadlineSeconds');
  }
});

type Counts = Pick<DeploymentStatus, 'replicas' | 'readyReplicas' | 'availableReplicas' | 'observedGeneration'>;

/** Percentages are at most 100%. */
function countsOf<T extends Counts>(parts: readonly (keyof T & string)[]): Rule<T> {
  const counts = Object.fromEntries(['observedGeneration', 'replicas', ...parts].map((name) => [name, count]));
  const limits = given<T>((status, at) => {
    const { replicas = 0, readyReplicas = 0, availableReplicas = 0 } = status;
    for (const part of parts) {
      const some = (status[part] as number | undefined) ?? 0;
      if (some > replicas) at.invalid(some, 'cannot be greater than status.replicas', part);
    }
    if (availableReplicas > readyReplicas) {
      at.invalid(availableReplicas, 'cannot be greater than readyReplicas', 'availableReplicas');
    }
  });
  return all<T>(fields<Counts>(counts), limits);
}

/** Validates a Deployment; its selector is immutable. */
export const validateDeployment = validation<Deployment>(
  fields({
    spec: all<DeploymentSpec>(
      fields({ replicas: count }),
      selectedTemplate('deployment', 'invalid label selector', runningTemplate('ReplicaSet')),
      fields({ strategy, minReadySeconds: count, revisionHistoryLimit: count }),
      deadline,
    ),
    status: countsOf(['updatedReplicas', 'readyReplicas', 'availableReplicas']),
  }),
  change('spec', fixed('selector')),
);

/** Whether a count or percentage is positive; anything else counts as zero. */
function isSome(share: number | string): boolean {
  return Number.parseInt(String(share), 10) > 0;
}

const rollingDaemonSet: Rule<RollingUpdateDaemonSet> = all<RollingUpdateDaemonSet>(
  fields({ maxUnavailable: countOrPercent, maxSurge: countOrPercent }),
  fields({ maxUnavailable: atMostHundredPercent, maxSurge: atMostHundredPercent }),
  given(({ maxUnavailable = 0, maxSurge = 0 }, at) => {
    if (!isSome(maxUnavailable) && !isSome(maxSurge)) at.required('cannot be 0 when maxSurge is 0', 'maxUnavailable');
    else if (isSome(maxUnavailable) && isSome(maxSurge)) {
      at.invalid(maxSurge, 'may not be set when maxUnavailable is non-zero', 'maxSurge');
    }
  }),
);

const daemonStrategy: Rule<DaemonSetUpdateStrategy> = given(({ type, rollingUpdate: rolling }, at) => {
  if (type === 'RollingUpdate') at.inside('rollingUpdate', rolling, rollingDaemonSet);
  else if (type !== 'OnDelete') {
    at.unsupported({ Type: type, RollingUpdate: rolling ?? null }, ['RollingUpdate', 'OnDelete']);
  }
});

/** Validates a DaemonSet; its selector is immutable. */
export const validateDaemonSet = validation<DaemonSet>(
  fields({
    spec: all<DaemonSetSpec>(
      selectedTemplate('daemonset', '', runningTemplate('DaemonSet')),
      fields({ minReadySeconds: count, updateStrategy: daemonStrategy, revisionHistoryLimit: count }),
    ),
    status: fields<DaemonSetStatus>({
      currentNumberScheduled: count,
      numberMisscheduled: count,
      desiredNumberScheduled: count,
      numberReady: count,
      observedGeneration: count,
      updatedNumberScheduled: count,
      numberAvailable: count,
      numberUnavailable: count,
      collisionCount: count,
    }),
  }),
  change('spec', fixed('selector')),
  'change first',
);

/** Validates a ReplicationController. */
export const validateReplicationController = validation<ReplicationController>(
  fields({
    spec: all<ReplicationControllerSpec>(
      fields({ minReadySeconds: count }),
      given((spec, at) => {
        const { selector = {}, template } = spec;
        const isEmpty = Object.keys(selector).length === 0;
        if (isEmpty) at.required(undefined, 'selector');
        at.inside('replicas', spec.replicas, count);
        if (template === undefined) at.required(undefined, 'template');
        else {
          if (!isEmpty) matching({ selector: { matchLabels: selector }, template }, at);
          at.inside('template', template, runningTemplate('ReplicationController'));
        }
      }),
    ),
    status: countsOf(['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas']),
  }),
);

/** Validates a ControllerRevision; its data is immutable. */
export const validateControllerRevision = validation<ControllerRevision>(
  given(({ data, revision }, at) => {
    if ((data ?? undefined) === undefined) at.required('data is mandatory', 'data');
    at.inside('revision', revision, count);
  }),
  fixed('data'),
);

/** Validates a ReplicaSet; its selector is immutable. */
export const validateReplicaSet = validation<ReplicaSet>(
  fields({
    spec: all<ReplicaSetSpec & { selector: LabelSelector }>(
      fields({ replicas: count, minReadySeconds: count }),
      selectedTemplate('deployment', 'invalid label selector', runningTemplate('ReplicaSet')),
    ),
    status: countsOf(['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas']),
  }),
  change('spec', fixed('selector')),
);

const updateStrategy: Rule<NonNullable<StatefulSetSpec['updateStrategy']>> = given(
  ({ type, rollingUpdate: rolling }, at) => {
    const { partition = 0, maxUnavailable = null } = rolling ?? {};
    const shown = rolling === undefined ? null : { Partition: partition, MaxUnavailable: maxUnavailable };
    if (type === 'RollingUpdate') at.inside('rollingUpdate', rolling, fields({ partition: count }));
    else if (type !== 'OnDelete') {
      at.invalid({ Type: type, RollingUpdate: shown }, "must be 'RollingUpdate' or 'OnDelete'");
    } else if (rolling !== undefined) {
      at.invalid(shown, "only allowed for updateStrategy 'RollingUpdate'", 'rollingUpdate');
    }
  },
);

const retention = oneOf('Retain', 'Delete');

/** Validates a StatefulSet; only replicas, template and update strategy can change. */
export const validateStatefulSet = validation<StatefulSet>(
  fields({
    spec: all<StatefulSetSpec>(
      fields({
        podManagementPolicy: (policy, at) => {
          if (policy !== 'OrderedReady' && policy !== 'Parallel') {
            at.invalid(policy, "must be 'OrderedReady' or 'Parallel'");
          }
        },
        updateStrategy,
        persistentVolumeClaimRetentionPolicy: fields({ whenDeleted: retention, whenScaled: retention }),
        replicas: count,
        minReadySeconds: count,
        ordinals: fields({ start: count }),
      }),
      (spec, at) => selectedTemplate('statefulset', '', runningTemplate('StatefulSet'))(withClaims(spec), at),
      fields({
        serviceName: text(dnsLabelProblem),
        volumeClaimTemplates: each(fields({ spec: claimSpec })),
      }),
    ),
  }),
  change('spec', (spec, before, at) => {
    if (!equalExcept(free, spec, before)) at.forbidden(onlyThese);
  }),
);

/** The spec with a volume in its template for each claim, as in its pods. */
function withClaims(spec: StatefulSetSpec | undefined): StatefulSetSpec | undefined {
  const { volumeClaimTemplates = [], template } = spec ?? {};
  if (spec === undefined || template?.spec === undefined || volumeClaimTemplates.length === 0) return spec;
  const claims = volumeClaimTemplates.map(({ metadata: { name } }) => ({
    name,
    persistentVolumeClaim: { claimName: name },
  }));
  const names = new Set(claims.map(({ name }) => name));
  const volumes = [...(template.spec.volumes ?? []).filter(({ name }) => !names.has(name)), ...claims];
  return { ...spec, template: { ...template, spec: { ...template.spec, volumes } } };
}

const free: (keyof StatefulSetSpec)[] = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
];

const onlyThese =
  "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";
