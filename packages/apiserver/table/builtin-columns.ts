// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { ageColumn, nameColumn, type TableColumn } from '../resources/table-column.ts';
import { roleBindingColumns, roleColumns } from './access.ts';
import { admissionPolicyColumns, policyBindingColumns, webhookConfigurationColumns } from './admission.ts';
import { autoscalerColumns } from './autoscaling.ts';
import { cronJobColumns, jobColumns } from './batch.ts';
import { signingRequestColumns } from './certificates.ts';
import { leaseColumns, namespaceColumns, nodeColumns } from './cluster.ts';
import { configMapColumns, secretColumns } from './config.ts';
import { csiDriverColumns, csiNodeColumns, volumeAttachmentColumns, volumeAttributesClassColumns } from './csi.ts';
import { definitionColumns } from './definitions.ts';
import { resourceClaimColumns, resourceSliceColumns } from './devices.ts';
import { endpointsColumns, endpointSliceColumns, ipAddressColumns, serviceCidrColumns } from './endpoints.ts';
import { eventColumns, eventsEventColumns } from './events.ts';
import { podColumns } from './pods.ts';
import { priorityClassColumns } from './policy.ts';
import { networkPolicyColumns } from './policy.ts';
import { disruptionBudgetColumns } from './policy.ts';
import { resourceQuotaColumns } from './quotas.ts';
import { ingressClassColumns, ingressColumns, serviceColumns } from './services.ts';
import { claimColumns, storageClassColumns, volumeColumns } from './storage.ts';
import {
  controllerRevisionColumns,
  daemonSetColumns,
  deploymentColumns,
  replicaSetColumns,
  replicationControllerColumns,
  statefulSetColumns,
} from './workloads.ts';

/** The columns of a built-in kind. Default: name and age. */
export function builtinColumns({ kind, apiVersion }: Kind): readonly TableColumn[] {
  return columns[`${apiVersion}/${kind}`] ?? columns[kind] ?? [nameColumn, ageColumn];
}

/** By kind; with the apiVersion when another group has the same kind. */
const columns: Readonly<Record<string, readonly TableColumn[]>> = {
  CSIDriver: of(csiDriverColumns),
  CSINode: of(csiNodeColumns),
  CertificateSigningRequest: of(signingRequestColumns),
  ClusterRole: roleColumns,
  ClusterRoleBinding: of(roleBindingColumns),
  ConfigMap: of(configMapColumns),
  ControllerRevision: of(controllerRevisionColumns),
  CronJob: of(cronJobColumns),
  CustomResourceDefinition: of(definitionColumns),
  DaemonSet: of(daemonSetColumns),
  Deployment: of(deploymentColumns),
  EndpointSlice: of(endpointSliceColumns),
  Endpoints: of(endpointsColumns),
  Event: of(eventColumns),
  'events.k8s.io/v1/Event': of(eventsEventColumns),
  HorizontalPodAutoscaler: of(autoscalerColumns),
  IPAddress: of(ipAddressColumns),
  Ingress: of(ingressColumns),
  IngressClass: of(ingressClassColumns),
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
  ReplicationController: of(replicationControllerColumns),
  ResourceClaim: of(resourceClaimColumns),
  ResourceQuota: of(resourceQuotaColumns),
  ResourceSlice: of(resourceSliceColumns),
  Role: roleColumns,
  RoleBinding: of(roleBindingColumns),
  Secret: of(secretColumns),
  Service: of(serviceColumns),
  ServiceCIDR: of(serviceCidrColumns),
  StatefulSet: of(statefulSetColumns),
  StorageClass: of(storageClassColumns),
  ValidatingAdmissionPolicy: of(admissionPolicyColumns),
  ValidatingAdmissionPolicyBinding: of(policyBindingColumns),
  ValidatingWebhookConfiguration: of(webhookConfigurationColumns),
  VolumeAttachment: of(volumeAttachmentColumns),
  VolumeAttributesClass: of(volumeAttributesClassColumns),
};

/** Erases the type parameter of columns for the table. */
function of<T extends KubeObject>(known: readonly TableColumn<T>[]): readonly TableColumn[] {
  return known;
}
