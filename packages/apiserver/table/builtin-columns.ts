// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/object.ts';
import {
  configMapColumns,
  definitionColumns,
  eventColumns,
  leaseColumns,
  namespaceColumns,
  nodeColumns,
  priorityClassColumns,
  roleBindingColumns,
  roleColumns,
  secretColumns,
  webhookConfigurationColumns,
} from './cluster-columns.ts';
import { endpointSliceColumns, networkPolicyColumns, serviceColumns } from './network-columns.ts';
import { podColumns } from './pod-columns.ts';
import { claimColumns, storageClassColumns, volumeColumns } from './storage-columns.ts';
import { ageColumn, nameColumn, type TableColumn } from './table-column.ts';
import {
  autoscalerColumns,
  cronJobColumns,
  deploymentColumns,
  disruptionBudgetColumns,
  jobColumns,
  replicaSetColumns,
  statefulSetColumns,
} from './workload-columns.ts';

/** The columns of `kubectl get` for a built-in kind; name and age for one that shows nothing else. */
export function builtinColumns(kind: string): readonly TableColumn[] {
  return columns[kind] ?? [nameColumn, ageColumn];
}

const columns: Readonly<Record<string, readonly TableColumn[]>> = {
  ClusterRole: roleColumns,
  ClusterRoleBinding: of(roleBindingColumns),
  ConfigMap: of(configMapColumns),
  CronJob: of(cronJobColumns),
  CustomResourceDefinition: of(definitionColumns),
  Deployment: of(deploymentColumns),
  EndpointSlice: of(endpointSliceColumns),
  Event: of(eventColumns),
  HorizontalPodAutoscaler: of(autoscalerColumns),
  Job: of(jobColumns),
  Lease: of(leaseColumns),
  MutatingWebhookConfiguration: of(webhookConfigurationColumns),
  Namespace: of(namespaceColumns),
  NetworkPolicy: of(networkPolicyColumns),
  Node: of(nodeColumns),
  PersistentVolume: of(volumeColumns),
  PersistentVolumeClaim: of(claimColumns),
  Pod: of(podColumns),
  PodDisruptionBudget: of(disruptionBudgetColumns),
  PriorityClass: of(priorityClassColumns),
  ReplicaSet: of(replicaSetColumns),
  Role: roleColumns,
  RoleBinding: of(roleBindingColumns),
  Secret: of(secretColumns),
  Service: of(serviceColumns),
  StatefulSet: of(statefulSetColumns),
  StorageClass: of(storageClassColumns),
  ValidatingWebhookConfiguration: of(webhookConfigurationColumns),
};

/** A table shows objects of its own kind only; the list of tables forgets which. */
function of<T extends KubeObject>(known: readonly TableColumn<T>[]): readonly TableColumn[] {
  return known;
}
