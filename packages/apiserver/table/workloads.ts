// SPDX-License-Identifier: Apache-2.0
import type { PodTemplateSpec, LabelSelector } from '@forge/kube/generated/types.ts';
import type {
  Deployment,
  ReplicaSet,
  ReplicationController,
  DaemonSet,
  ControllerRevision,
  StatefulSet,
} from '@forge/kube/kinds/builtin.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { formatLabelSelector } from '@forge/kube/selectors/selector.ts';
import { ageColumn, column, nameColumn, type TableColumn, countColumn, wideColumn } from '../resources/table-column.ts';

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

export function containerColumns<T extends KubeObject>(
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

export function selectorColumn<T extends KubeObject>(
  selector: (object: T) => LabelSelector | undefined,
): TableColumn<T> {
  return wideColumn('Selector', (object: T) => selectorText(selector(object) ?? {}));
}

function selectorText(selector: LabelSelector): string {
  const text = formatLabelSelector(selector);
  return text === '' ? '<none>' : text;
}
