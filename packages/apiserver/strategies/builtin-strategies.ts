// SPDX-License-Identifier: Apache-2.0
import type {
  ClusterRoleBinding,
  ConfigMap,
  CronJob,
  CustomResourceDefinition,
  Deployment,
  EndpointSlice,
  Event,
  HorizontalPodAutoscaler,
  Job,
  Namespace,
  NetworkPolicy,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  PodDisruptionBudget,
  PriorityClass,
  ReplicaSet,
  RoleBinding,
  Secret,
  Service,
  ServiceAccount,
  StatefulSet,
  StorageClass,
} from '@forge/kube/builtin.ts';
import type { KubeObject } from '@forge/kube/object.ts';
import type { Strategy } from '../resource.ts';
import { validateConfigMap, validateSecret } from '../validation/validate-config.ts';
import { validateDefinition } from '../validation/validate-definition.ts';
import { validateClaim, validateRoleBinding } from '../validation/validate-immutable.ts';
import { validateService } from '../validation/validate-service.ts';
import {
  validateDeployment,
  validateJob,
  validateReplicaSet,
  validateStatefulSet,
} from '../validation/validate-workloads.ts';
import { allocateAddress, keepAddress } from './allocate-address.ts';
import { beginJob } from './begin-job.ts';
import { defaultDefinition, endDefinition } from './default-definition.ts';
import { defaultEndpointSlice, defaultNetworkPolicy, defaultService } from './default-network.ts';
import { defaultRoleBinding } from './default-role-binding.ts';
import { defaultSecret } from './default-secret.ts';
import { defaultClaim, defaultStorageClass, defaultVolume } from './default-volumes.ts';
import {
  defaultCronJob,
  defaultDeployment,
  defaultJob,
  defaultReplicaSet,
  defaultStatefulSet,
} from './default-workloads.ts';
import { podStrategy } from './pod-strategy.ts';

/** The namespaces without which there is no cluster. */
const immortal = new Set(['default', 'kube-system', 'kube-public']);

/** What the server does for each built-in kind beyond its schema. */
export const builtinStrategies: Readonly<Record<string, Strategy>> = {
  ClusterRoleBinding: strategy<ClusterRoleBinding>({ default: defaultRoleBinding, validate: validateRoleBinding }),
  ConfigMap: strategy<ConfigMap>({ validate: validateConfigMap }),
  CronJob: strategy<CronJob>({
    default: defaultCronJob,
    begin: (object) => ({ ...object, status: {} }),
    generation: true,
  }),
  CustomResourceDefinition: strategy<CustomResourceDefinition>({
    default: defaultDefinition,
    begin: (object) => ({
      ...object,
      status: {
        conditions: [],
        acceptedNames: { plural: '', kind: '' },
        storedVersions: object.spec.versions.filter(({ storage }) => storage).map(({ name }) => name),
      },
    }),
    end: endDefinition,
    validate: validateDefinition,
    generation: true,
  }),
  Deployment: strategy<Deployment>({
    default: defaultDeployment,
    begin: (object) => ({ ...object, status: {} }),
    validate: validateDeployment,
    generation: true,
  }),
  EndpointSlice: strategy<EndpointSlice>({ default: defaultEndpointSlice, generation: true }),
  Event: strategy<Event>({
    selectableFields: [
      ...['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'].map(
        (field) => `involvedObject.${field}`,
      ),
      'reason',
      'reportingComponent',
      'source',
      'type',
    ],
  }),
  HorizontalPodAutoscaler: strategy<HorizontalPodAutoscaler>({
    default: (object) => ({ ...object, spec: { minReplicas: 1, ...object.spec } }),
    begin: (object) => ({ ...object, status: { desiredReplicas: 0 } }),
  }),
  Job: strategy<Job>({
    default: defaultJob,
    begin: beginJob,
    validate: validateJob,
    generation: true,
    selectableFields: ['status.successful'],
  }),
  Namespace: strategy<Namespace>({
    default: (object) => ({
      ...object,
      metadata: {
        ...object.metadata,
        labels: { ...object.metadata.labels, 'kubernetes.io/metadata.name': object.metadata.name },
      },
    }),
    begin: (object) => ({
      ...object,
      spec: { ...object.spec, finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    }),
    keep: (object, before) => ({ ...object, spec: { ...object.spec, finalizers: before.spec?.finalizers ?? [] } }),
    undeletable: ({ metadata }) => (immortal.has(metadata.name) ? 'this namespace may not be deleted' : undefined),
    end: (object) => ({ ...object, status: { ...object.status, phase: 'Terminating' } }),
    heldBack: (object) => (object.spec?.finalizers ?? []).length > 0,
    selectableFields: ['status.phase'],
  }),
  NetworkPolicy: strategy<NetworkPolicy>({ default: defaultNetworkPolicy, generation: true }),
  Node: strategy<Node>({ bornWithStatus: true, selectableFields: ['spec.unschedulable'] }),
  PersistentVolume: strategy<PersistentVolume>({
    default: defaultVolume,
    begin: (object) => ({ ...object, status: { phase: 'Pending' } }),
    returnsDeleted: true,
  }),
  PersistentVolumeClaim: strategy<PersistentVolumeClaim>({
    default: defaultClaim,
    begin: (object) => ({ ...object, status: { phase: 'Pending' } }),
    validate: validateClaim,
    returnsDeleted: true,
  }),
  Pod: strategy(podStrategy),
  PodDisruptionBudget: strategy<PodDisruptionBudget>({
    begin: (object) => ({
      ...object,
      status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
    }),
    generation: true,
  }),
  PriorityClass: strategy<PriorityClass>({
    default: (object) => ({ preemptionPolicy: 'PreemptLowerPriority', ...object }),
  }),
  ReplicaSet: strategy<ReplicaSet>({
    default: defaultReplicaSet,
    begin: (object) => ({ ...object, status: { replicas: 0 } }),
    validate: validateReplicaSet,
    selectableFields: ['status.replicas'],
    generation: true,
  }),
  RoleBinding: strategy<RoleBinding>({ default: defaultRoleBinding, validate: validateRoleBinding }),
  Secret: strategy<Secret>({ default: defaultSecret, validate: validateSecret, selectableFields: ['type'] }),
  Service: strategy<Service>({
    default: defaultService,
    begin: (object, surroundings) => ({ ...allocateAddress(object, surroundings), status: { loadBalancer: {} } }),
    keep: keepAddress,
    validate: validateService,
    returnsDeleted: true,
  }),
  ServiceAccount: strategy<ServiceAccount>({ returnsDeleted: true }),
  StatefulSet: strategy<StatefulSet>({
    default: defaultStatefulSet,
    begin: (object) => ({ ...object, status: { replicas: 0, availableReplicas: 0 } }),
    validate: validateStatefulSet,
    generation: true,
  }),
  StorageClass: strategy<StorageClass>({ default: defaultStorageClass, returnsDeleted: true }),
};

/** A strategy sees objects of its own kind only; the table forgets which. */
function strategy<T extends KubeObject>(rules: Strategy<T>): Strategy {
  return rules;
}
