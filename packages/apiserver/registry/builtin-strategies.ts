// SPDX-License-Identifier: Apache-2.0
import type {
  CSIDriver,
  CSINode,
  ClusterRole,
  ClusterRoleBinding,
  ConfigMap,
  ControllerRevision,
  CronJob,
  CustomResourceDefinition,
  Deployment,
  DeviceClass,
  EndpointSlice,
  Endpoints,
  Event,
  EventsEvent,
  HorizontalPodAutoscaler,
  IPAddress,
  Job,
  Lease,
  MutatingWebhookConfiguration,
  NetworkPolicy,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  PodDisruptionBudget,
  PriorityClass,
  ReplicaSet,
  ReplicationController,
  ResourceClaim,
  ResourceClaimTemplate,
  ResourceQuota,
  ResourceSlice,
  Role,
  RoleBinding,
  Secret,
  ServiceAccount,
  ServiceCIDR,
  StatefulSet,
  StorageClass,
  ValidatingWebhookConfiguration,
  VolumeAttachment,
  VolumeAttributesClass,
} from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { timestamp } from '@forge/runtime/time/clock.ts';
import type { Strategy } from '../resources/resource.ts';
import {
  validateClusterRole,
  validateClusterRoleBinding,
  validateRole,
  validateRoleBinding,
} from '../validation/kinds/access-rules.ts';
import { validateAutoscaler } from '../validation/kinds/autoscaler-rules.ts';
import { validateLease, validateNode } from '../validation/kinds/cluster-rules.ts';
import { validateConfigMap, validateSecret } from '../validation/kinds/config-rules.ts';
import {
  validateCSIDriver,
  validateCSINode,
  validateVolumeAttachment,
  validateVolumeAttributesClass,
} from '../validation/kinds/csi-rules.ts';
import { validateDefinition } from '../validation/kinds/definition-rules.ts';
import {
  validateDeviceClass,
  validateResourceClaim,
  validateResourceClaimTemplate,
  validateResourceSlice,
} from '../validation/kinds/device-rules.ts';
import { validateEndpoints, validateIPAddress, validateServiceCIDR } from '../validation/kinds/endpoints-rules.ts';
import { validateEvent, validateEventsEvent } from '../validation/kinds/event-rules.ts';
import { validateCronJob, validateJob } from '../validation/kinds/job-rules.ts';
import {
  validateDisruptionBudget,
  validateNetworkPolicy,
  validatePriorityClass,
} from '../validation/kinds/policy-rules.ts';
import { validateResourceQuota } from '../validation/kinds/quota-rules.ts';
import { validateEndpointSlice } from '../validation/kinds/service-rules.ts';
import { validateClaim, validateStorageClass, validateVolume } from '../validation/kinds/storage-rules.ts';
import { validateWebhooks } from '../validation/kinds/webhook-rules.ts';
import {
  validateControllerRevision,
  validateDeployment,
  validateReplicaSet,
  validateReplicationController,
  validateStatefulSet,
} from '../validation/kinds/workload-rules.ts';
import { systemPriorities } from '../validation/system-priorities.ts';
import { claimWarnings, persistentVolumeWarnings } from '../warnings/claim-warnings.ts';
import {
  driverWarnings,
  endpointSliceWarnings,
  nodeWarnings,
  serviceAccountWarnings,
  storageClassWarnings,
} from '../warnings/cluster-warnings.ts';
import { definitionWarnings } from '../warnings/definition-warnings.ts';
import { cronJobWarnings, statefulSetWarnings, workloadWarnings } from '../warnings/template-warnings.ts';
import { daemonSetStrategy } from './daemon-set-strategy.ts';
import { defaultAutoscaler } from './defaults/default-autoscaler.ts';
import {
  prepareDefinition,
  defaultDefinition,
  terminatingDefinition,
  recordStoredVersion,
} from './defaults/default-definition.ts';
import { defaultResourceClaim, defaultResourceClaimTemplate } from './defaults/default-devices.ts';
import { defaultEndpoints, defaultEndpointSlice, defaultNetworkPolicy } from './defaults/default-network.ts';
import { defaultNode, withNotReadyTaint } from './defaults/default-node.ts';
import { defaultClusterRoleBinding, defaultRoleBinding } from './defaults/default-role-binding.ts';
import { defaultSecret } from './defaults/default-secret.ts';
import { defaultClaim, defaultCSIDriver, defaultStorageClass, defaultVolume } from './defaults/default-volumes.ts';
import { defaultMutatingWebhooks, defaultValidatingWebhooks } from './defaults/default-webhooks.ts';
import {
  defaultCronJob,
  defaultDeployment,
  defaultJob,
  defaultReplicaSet,
  defaultReplicationController,
  defaultStatefulSet,
} from './defaults/default-workloads.ts';
import { defaults } from './defaults/defaults.ts';
import {
  fillAutoscaler,
  fillClusterRole,
  fillCSINode,
  fillEndpointSlice,
  fillEvent,
  fillEventsEvent,
  fillResourceClaim,
  fillResourceClaimTemplate,
  fillRole,
} from './defaults/zero-values.ts';
import { namespaceStrategy } from './namespace-strategy.ts';
import { podStrategy } from './pod-strategy.ts';
import { prepareJob } from './prepare-job.ts';
import { serviceStrategy } from './service-strategy.ts';
import { signingRequestStrategy } from './signing-request-strategy.ts';
import { withProtectionFinalizer } from './with-protection-finalizer.ts';

/** The strategy of a built-in kind. */
export function strategyOf({ apiVersion, kind }: Kind): Strategy {
  return builtinStrategies[`${apiVersion}/${kind}`] ?? builtinStrategies[kind] ?? {};
}

/** Metadata that status updates cannot change. */
const allMetadata = ['labels', 'annotations', 'finalizers', 'ownerReferences'] as const;

const objectFields = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];

/** By kind; with the apiVersion when another group has the same kind. */
const builtinStrategies: Readonly<Record<string, Strategy>> = {
  CSIDriver: strategy<CSIDriver>({
    default: defaultCSIDriver,
    validate: validateCSIDriver,
    warnings: driverWarnings,
    generation: 'from the first change',
    requiresVersionOnUpdate: true,
    returnsDeletedObject: true,
  }),
  CSINode: strategy<CSINode>({
    fillZeroValues: fillCSINode,
    validate: validateCSINode,
    requiresVersionOnUpdate: true,
    returnsDeletedObject: true,
  }),
  CertificateSigningRequest: strategy(signingRequestStrategy),
  ClusterRole: strategy<ClusterRole>({
    fillZeroValues: fillClusterRole,
    validate: validateClusterRole,
    allowCreateOnUpdate: true,
  }),
  ClusterRoleBinding: strategy<ClusterRoleBinding>({
    default: defaultClusterRoleBinding,
    validate: validateClusterRoleBinding,
    allowCreateOnUpdate: true,
  }),
  ConfigMap: strategy<ConfigMap>({ validate: validateConfigMap }),
  ControllerRevision: strategy<ControllerRevision>({ validate: validateControllerRevision }),
  CronJob: strategy<CronJob>({
    default: defaultCronJob,
    validate: validateCronJob,
    warnings: cronJobWarnings,
    prepareForCreate: (object) => ({ ...object, status: {} }),
    generation: true,
  }),
  CustomResourceDefinition: strategy<CustomResourceDefinition>({
    default: defaultDefinition,
    prepareForCreate: prepareDefinition,
    prepareForUpdate: recordStoredVersion,
    prepareForDelete: terminatingDefinition,
    omitsDeletionDetails: true,
    validate: validateDefinition,
    warnings: definitionWarnings,
    requiresVersionOnUpdate: true,
    generation: true,
  }),
  DaemonSet: strategy(daemonSetStrategy),
  Deployment: strategy<Deployment>({
    default: defaultDeployment,
    prepareForCreate: (object) => ({ ...object, status: {} }),
    validate: validateDeployment,
    warnings: workloadWarnings,
    metadataKeptOnStatusUpdate: ['labels'],
    generation: true,
  }),
  DeviceClass: strategy<DeviceClass>({ validate: validateDeviceClass, generation: true, returnsDeletedObject: true }),
  EndpointSlice: strategy<EndpointSlice>({
    default: defaultEndpointSlice,
    fillZeroValues: fillEndpointSlice,
    validate: validateEndpointSlice,
    warnings: endpointSliceWarnings,
    generation: true,
  }),
  Endpoints: strategy<Endpoints>({
    default: defaultEndpoints,
    validate: validateEndpoints,
    allowCreateOnUpdate: true,
  }),
  Event: strategy<Event>({
    fillZeroValues: fillEvent,
    validate: validateEvent,
    allowCreateOnUpdate: true,
    selectableObject: (event) => ({ ...event, source: event.source?.component ?? event.reportingComponent }),
    selectableFields: [
      ...objectFields.map((field) => `involvedObject.${field}`),
      'reason',
      'reportingComponent',
      'source',
      'type',
    ],
  }),
  'events.k8s.io/v1/Event': strategy<EventsEvent>({
    fillZeroValues: fillEventsEvent,
    validate: validateEventsEvent,
    allowCreateOnUpdate: true,
    selectableFields: [...objectFields.map((field) => `regarding.${field}`), 'reason', 'reportingController', 'type'],
  }),
  HorizontalPodAutoscaler: strategy<HorizontalPodAutoscaler>({
    default: defaultAutoscaler,
    prepareForCreate: (object) => ({ ...object, status: { desiredReplicas: 0 } }),
    fillZeroValues: fillAutoscaler,
    validate: validateAutoscaler,
  }),
  IPAddress: strategy<IPAddress>({ validate: validateIPAddress, selectableFields: ['spec.parentRef.name'] }),
  Job: strategy<Job>({
    default: defaultJob,
    prepareForCreate: prepareJob,
    validate: validateJob,
    warnings: workloadWarnings,
    generation: true,
    selectableFields: ['status.successful'],
  }),
  Lease: strategy<Lease>({ validate: validateLease, requiresVersionOnUpdate: true, allowCreateOnUpdate: true }),
  MutatingWebhookConfiguration: strategy<MutatingWebhookConfiguration>({
    default: defaultMutatingWebhooks,
    validate: validateWebhooks,
    requiresVersionOnUpdate: true,
    generation: true,
  }),
  Namespace: strategy(namespaceStrategy),
  NetworkPolicy: strategy<NetworkPolicy>({
    default: defaultNetworkPolicy,
    validate: validateNetworkPolicy,
    generation: true,
  }),
  Node: strategy<Node>({
    default: defaultNode,
    prepareForCreate: withNotReadyTaint,
    validate: validateNode,
    warnings: nodeWarnings,
    keepsStatusOnCreate: true,
    selectableFields: ['spec.unschedulable'],
  }),
  PersistentVolume: strategy<PersistentVolume>({
    default: defaultVolume,
    prepareForCreate: (object, { clock }) => ({
      ...withProtectionFinalizer(object, 'kubernetes.io/pv-protection'),
      status: { phase: 'Pending', lastPhaseTransitionTime: timestamp(clock) },
    }),
    validate: validateVolume,
    warnings: persistentVolumeWarnings,
    returnsDeletedObject: true,
  }),
  PersistentVolumeClaim: strategy<PersistentVolumeClaim>({
    default: defaultClaim,
    prepareForCreate: (object) => ({
      ...withProtectionFinalizer(object, 'kubernetes.io/pvc-protection'),
      status: { phase: 'Pending' },
    }),
    validate: validateClaim,
    warnings: claimWarnings,
    returnsDeletedObject: true,
  }),
  Pod: strategy(podStrategy),
  PodDisruptionBudget: strategy<PodDisruptionBudget>({
    validate: validateDisruptionBudget,
    requiresVersionOnUpdate: true,
    prepareForCreate: (object) => ({
      ...object,
      status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
    }),
    generation: true,
  }),
  PriorityClass: strategy<PriorityClass>({
    default: defaults({ preemptionPolicy: 'PreemptLowerPriority' }),
    prepareForCreate: (object) => ({ ...object, metadata: { ...object.metadata, generation: 1 } }),
    validate: validatePriorityClass,
    deletionForbidden: ({ metadata }) =>
      Object.hasOwn(systemPriorities, metadata.name)
        ? 'this is a system priority class and cannot be deleted'
        : undefined,
  }),
  ReplicaSet: strategy<ReplicaSet>({
    default: defaultReplicaSet,
    prepareForCreate: (object) => ({ ...object, status: { replicas: 0 } }),
    validate: validateReplicaSet,
    warnings: workloadWarnings,
    selectableFields: ['status.replicas'],
    generation: true,
  }),
  ReplicationController: strategy<ReplicationController>({
    default: defaultReplicationController,
    prepareForCreate: (object) => ({ ...object, status: { replicas: 0 } }),
    validate: validateReplicationController,
    warnings: workloadWarnings,
    selectableFields: ['status.replicas'],
    generation: true,
    orphansByDefault: true,
  }),
  ResourceClaim: strategy<ResourceClaim>({
    default: defaultResourceClaim,
    prepareForCreate: (object) => ({ ...object, status: {} }),
    fillZeroValues: fillResourceClaim,
    validate: validateResourceClaim,
    metadataKeptOnStatusUpdate: allMetadata,
    returnsDeletedObject: true,
  }),
  ResourceClaimTemplate: strategy<ResourceClaimTemplate>({
    default: defaultResourceClaimTemplate,
    fillZeroValues: fillResourceClaimTemplate,
    validate: validateResourceClaimTemplate,
    returnsDeletedObject: true,
  }),
  ResourceQuota: strategy<ResourceQuota>({
    prepareForCreate: (object) => ({ ...object, status: {} }),
    validate: validateResourceQuota,
    returnsDeletedObject: true,
  }),
  ResourceSlice: strategy<ResourceSlice>({
    validate: validateResourceSlice,
    selectableFields: ['spec.driver', 'spec.nodeName'],
    generation: true,
    returnsDeletedObject: true,
  }),
  Role: strategy<Role>({ fillZeroValues: fillRole, validate: validateRole, allowCreateOnUpdate: true }),
  RoleBinding: strategy<RoleBinding>({
    default: defaultRoleBinding,
    validate: validateRoleBinding,
    allowCreateOnUpdate: true,
  }),
  Secret: strategy<Secret>({ default: defaultSecret, validate: validateSecret, selectableFields: ['type'] }),
  Service: strategy(serviceStrategy),
  ServiceAccount: strategy<ServiceAccount>({ returnsDeletedObject: true, warnings: serviceAccountWarnings }),
  ServiceCIDR: strategy<ServiceCIDR>({
    prepareForCreate: (object) => ({ ...object, status: {} }),
    validate: validateServiceCIDR,
    metadataKeptOnStatusUpdate: allMetadata,
  }),
  StatefulSet: strategy<StatefulSet>({
    default: defaultStatefulSet,
    prepareForCreate: (object) => ({ ...object, status: { replicas: 0, availableReplicas: 0 } }),
    validate: validateStatefulSet,
    warnings: statefulSetWarnings,
    generation: true,
  }),
  StorageClass: strategy<StorageClass>({
    default: defaultStorageClass,
    validate: validateStorageClass,
    warnings: storageClassWarnings,
    returnsDeletedObject: true,
  }),
  ValidatingWebhookConfiguration: strategy<ValidatingWebhookConfiguration>({
    default: defaultValidatingWebhooks,
    validate: validateWebhooks,
    requiresVersionOnUpdate: true,
    generation: true,
  }),
  VolumeAttachment: strategy<VolumeAttachment>({
    prepareForCreate: (object) => ({ ...object, status: { attached: false } }),
    validate: validateVolumeAttachment,
    metadataKeptOnStatusUpdate: allMetadata,
    requiresVersionOnUpdate: true,
    returnsDeletedObject: true,
  }),
  VolumeAttributesClass: strategy<VolumeAttributesClass>({
    prepareForCreate: (object) => withProtectionFinalizer(object, 'kubernetes.io/vac-protection'),
    validate: validateVolumeAttributesClass,
    returnsDeletedObject: true,
  }),
};

/** Erases the type parameter of a strategy for the table. */
function strategy<T extends KubeObject>(rules: Strategy<T>): Strategy {
  return rules;
}
