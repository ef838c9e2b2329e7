// SPDX-License-Identifier: Apache-2.0
import type { LabelSelector, PodTemplateSpec } from '@forge/kube/generated/types.ts';
import type {
  ControllerRevision,
  CronJob,
  DaemonSet,
  Deployment,
  HorizontalPodAutoscaler,
  Job,
  PodDisruptionBudget,
  ReplicaSet,
  ReplicationController,
  StatefulSet,
} from '@forge/kube/kinds/builtin.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { formatLabelSelector } from '@forge/kube/selectors/selector.ts';
import {
  age,
  ageColumn,
  column,
  countColumn,
  humanDuration,
  nameColumn,
  wideColumn,
  type TableColumn,
} from '../resources/table-column.ts';

export const deploymentColumns: readonly TableColumn<Deployment>[] = [
  nameColumn,
  column('Ready', ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`),
  column('Up-to-date', ({ status }) => status?.updatedReplicas ?? 0),
  column('Available', ({ status }) => status?.availableReplicas ?? 0),
  ageColumn,
  ...containerColumns(({ spec }: Deployment) => spec?.template),
  selectorColumn(({ spec }: Deployment) => spec?.selector),
];

export const replicaSetColumns: readonly TableColumn<ReplicaSet>[] = [
  nameColumn,
  countColumn('Desired', ({ spec }) => spec?.replicas),
  countColumn('Current', ({ status }) => status?.replicas),
  countColumn('Ready', ({ status }) => status?.readyReplicas),
  ageColumn,
  ...containerColumns(({ spec }: ReplicaSet) => spec?.template),
  selectorColumn(({ spec }: ReplicaSet) => spec?.selector),
];

export const replicationControllerColumns: readonly TableColumn<ReplicationController>[] = [
  nameColumn,
  countColumn('Desired', ({ spec }) => spec?.replicas),
  countColumn('Current', ({ status }) => status?.replicas),
  countColumn('Ready', ({ status }) => status?.readyReplicas),
  ageColumn,
  ...containerColumns(({ spec }: ReplicationController) => spec?.template),
  selectorColumn(({ spec }: ReplicationController) => ({ matchLabels: spec?.selector ?? {} })),
];

export const daemonSetColumns: readonly TableColumn<DaemonSet>[] = [
  nameColumn,
  countColumn('Desired', ({ status }) => status?.desiredNumberScheduled),
  countColumn('Current', ({ status }) => status?.currentNumberScheduled),
  countColumn('Ready', ({ status }) => status?.numberReady),
  countColumn('Up-to-date', ({ status }) => status?.updatedNumberScheduled),
  countColumn('Available', ({ status }) => status?.numberAvailable),
  column('Node Selector', ({ spec }) => selectorText({ matchLabels: spec?.template.spec?.nodeSelector ?? {} })),
  ageColumn,
  ...containerColumns(({ spec }: DaemonSet) => spec?.template),
  selectorColumn(({ spec }: DaemonSet) => spec?.selector),
];

export const controllerRevisionColumns: readonly TableColumn<ControllerRevision>[] = [
  nameColumn,
  column('Controller', ({ metadata }) => {
    const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
    if (owner === undefined) return '<none>';
    const [, group] = /^(.*)\//.exec(owner.apiVersion) ?? [];
    const kind = owner.kind.toLowerCase();
    return `${group === undefined ? kind : `${kind}.${group}`}/${owner.name}`;
  }),
  column('Revision', ({ revision }) => revision),
  ageColumn,
];

export const statefulSetColumns: readonly TableColumn<StatefulSet>[] = [
  nameColumn,
  column('Ready', ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`),
  ageColumn,
  ...containerColumns(({ spec }: StatefulSet) => spec?.template),
];

export const jobColumns: readonly TableColumn<Job>[] = [
  nameColumn,
  column('Status', jobStatus),
  column('Completions', ({ spec, status }) => {
    const { parallelism = 0, completions } = spec ?? {};
    const succeeded = status?.succeeded ?? 0;
    if (completions !== undefined) return `${succeeded}/${completions}`;
    return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
  }),
  column('Duration', ({ status }, now) => {
    if (status?.startTime === undefined) return '';
    const end = status.completionTime === undefined ? now : Date.parse(status.completionTime);
    return humanDuration(end - Date.parse(status.startTime));
  }),
  ageColumn,
  ...containerColumns(({ spec }: Job) => spec?.template),
  selectorColumn(({ spec }: Job) => spec?.selector),
];

export const cronJobColumns: readonly TableColumn<CronJob>[] = [
  nameColumn,
  column('Schedule', ({ spec }) => spec.schedule),
  column('Timezone', ({ spec }) => spec.timeZone ?? '<none>'),
  column('Suspend', ({ spec }) => (spec.suspend === true ? 'True' : 'False'), { type: 'boolean' }),
  countColumn('Active', ({ status }) => status?.active?.length),
  column('Last Schedule', ({ status }, now) =>
    status?.lastScheduleTime === undefined ? '<none>' : age(status.lastScheduleTime, now),
  ),
  ageColumn,
  ...containerColumns(({ spec }: CronJob) => spec.jobTemplate.spec?.template),
  selectorColumn(({ spec }: CronJob) => spec.jobTemplate.spec?.selector),
];

export const disruptionBudgetColumns: readonly TableColumn<PodDisruptionBudget>[] = [
  nameColumn,
  column('Min Available', ({ spec }) => String(spec?.minAvailable ?? 'N/A')),
  column('Max Unavailable', ({ spec }) => String(spec?.maxUnavailable ?? 'N/A')),
  countColumn('Allowed Disruptions', ({ status }) => status?.disruptionsAllowed),
  ageColumn,
];

export const autoscalerColumns: readonly TableColumn<HorizontalPodAutoscaler>[] = [
  nameColumn,
  column('Reference', ({ spec }) => `${spec.scaleTargetRef.kind}/${spec.scaleTargetRef.name}`),
  column('Targets', ({ spec, status }) => {
    const targets = (spec.metrics ?? []).map(({ resource }, index) => {
      const { averageUtilization } = status?.currentMetrics?.[index]?.resource?.current ?? {};
      const current = averageUtilization === undefined ? '<unknown>' : `${averageUtilization}%`;
      return `${resource?.name ?? 'metric'}: ${current}/${resource?.target.averageUtilization ?? '<auto>'}%`;
    });
    return targets.length === 0 ? '<none>' : targets.join(', ');
  }),
  column('MinPods', ({ spec }) => String(spec.minReplicas ?? '<unset>')),
  column('MaxPods', ({ spec }) => spec.maxReplicas),
  column('Replicas', ({ status }) => status?.currentReplicas ?? 0),
  ageColumn,
];

function jobStatus({ metadata, status }: Job): string {
  const holds = (wanted: string): boolean =>
    status?.conditions?.some((each) => each.type === wanted && each.status === 'True') === true;
  if (holds('Complete')) return 'Complete';
  if (holds('Failed')) return 'Failed';
  if (metadata.deletionTimestamp !== undefined) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(holds) ?? 'Running';
}

function containerColumns<T extends KubeObject>(
  template: (object: T) => PodTemplateSpec | undefined,
): TableColumn<T>[] {
  const containers = (object: T) => template(object)?.spec?.containers ?? [];
  return [
    wideColumn('Containers', (object: T) =>
      containers(object)
        .map(({ name }) => name)
        .join(','),
    ),
    wideColumn('Images', (object: T) =>
      containers(object)
        .map(({ image }) => image)
        .join(','),
    ),
  ];
}

function selectorColumn<T extends KubeObject>(selector: (object: T) => LabelSelector | undefined): TableColumn<T> {
  return wideColumn('Selector', (object: T) => selectorText(selector(object) ?? {}));
}

function selectorText(selector: LabelSelector): string {
  const text = formatLabelSelector(selector);
  return text === '' ? '<none>' : text;
}
