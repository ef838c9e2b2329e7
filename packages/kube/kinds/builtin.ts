// SPDX-License-Identifier: Apache-2.0
import type * as types from '../generated/types.ts';
import type { KubeObject } from '../objects/object.ts';
import type { KindFacts } from '../schema/definition.ts';
import generated from '../schema/definitions.json' with { type: 'json' };
import { kindSchema } from '../schema/kind-schema.ts';
import type { Schema } from '../schema/schema.ts';
import { apiVersionOf, type Kind } from './kind.ts';

/** What OpenAPI does not contain: short names and categories, and whether caches should drop the content. */
interface KindExtras {
  shortNames?: readonly string[];
  categories?: readonly string[];
  confidential?: boolean;
}

const all = ['all'];

// One value and one static type of the same name per kind.

export const ConfigMap = builtin<types.ConfigMap>('v1/ConfigMap', { shortNames: ['cm'] });
export type ConfigMap = types.ConfigMap;
export const Endpoints = builtin<types.Endpoints>('v1/Endpoints', { shortNames: ['ep'] });
export type Endpoints = types.Endpoints;
export const Event = builtin<types.Event>('v1/Event', { shortNames: ['ev'] });
export type Event = types.Event;
export const Namespace = builtin<types.Namespace>('v1/Namespace', { shortNames: ['ns'] });
export type Namespace = types.Namespace;
export const Node = builtin<types.Node>('v1/Node', { shortNames: ['no'] });
export type Node = types.Node;
export const PersistentVolume = builtin<types.PersistentVolume>('v1/PersistentVolume', { shortNames: ['pv'] });
export type PersistentVolume = types.PersistentVolume;
export const PersistentVolumeClaim = builtin<types.PersistentVolumeClaim>('v1/PersistentVolumeClaim', {
  shortNames: ['pvc'],
});
export type PersistentVolumeClaim = types.PersistentVolumeClaim;
export const Pod = builtin<types.Pod>('v1/Pod', { shortNames: ['po'], categories: all });
export type Pod = types.Pod;
export const ReplicationController = builtin<types.ReplicationController>('v1/ReplicationController', {
  shortNames: ['rc'],
  categories: all,
});
export type ReplicationController = types.ReplicationController;
export const ResourceQuota = builtin<types.ResourceQuota>('v1/ResourceQuota', { shortNames: ['quota'] });
export type ResourceQuota = types.ResourceQuota;
export const Secret = builtin<types.Secret>('v1/Secret', { confidential: true });
export type Secret = types.Secret;
export const Service = builtin<types.Service>('v1/Service', { shortNames: ['svc'], categories: all });
export type Service = types.Service;
export const ServiceAccount = builtin<types.ServiceAccount>('v1/ServiceAccount', { shortNames: ['sa'] });
export type ServiceAccount = types.ServiceAccount;

export const MutatingWebhookConfiguration = builtin<types.MutatingWebhookConfiguration>(
  'admissionregistration.k8s.io/v1/MutatingWebhookConfiguration',
  { categories: ['api-extensions'] },
);
export type MutatingWebhookConfiguration = types.MutatingWebhookConfiguration;
export const ValidatingAdmissionPolicy = builtin<types.ValidatingAdmissionPolicy>(
  'admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy',
  { categories: ['api-extensions'] },
);
export type ValidatingAdmissionPolicy = types.ValidatingAdmissionPolicy;
export const ValidatingAdmissionPolicyBinding = builtin<types.ValidatingAdmissionPolicyBinding>(
  'admissionregistration.k8s.io/v1/ValidatingAdmissionPolicyBinding',
  { categories: ['api-extensions'] },
);
export type ValidatingAdmissionPolicyBinding = types.ValidatingAdmissionPolicyBinding;
export const ValidatingWebhookConfiguration = builtin<types.ValidatingWebhookConfiguration>(
  'admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration',
  { categories: ['api-extensions'] },
);
export type ValidatingWebhookConfiguration = types.ValidatingWebhookConfiguration;

export const CustomResourceDefinition = builtin<types.CustomResourceDefinition>(
  'apiextensions.k8s.io/v1/CustomResourceDefinition',
  { shortNames: ['crd', 'crds'], categories: ['api-extensions'] },
);
export type CustomResourceDefinition = types.CustomResourceDefinition;

export const ControllerRevision = builtin<types.ControllerRevision>('apps/v1/ControllerRevision');
export type ControllerRevision = types.ControllerRevision;
export const DaemonSet = builtin<types.DaemonSet>('apps/v1/DaemonSet', { shortNames: ['ds'], categories: all });
export type DaemonSet = types.DaemonSet;
export const Deployment = builtin<types.Deployment>('apps/v1/Deployment', { shortNames: ['deploy'], categories: all });
export type Deployment = types.Deployment;
export const ReplicaSet = builtin<types.ReplicaSet>('apps/v1/ReplicaSet', { shortNames: ['rs'], categories: all });
export type ReplicaSet = types.ReplicaSet;
export const StatefulSet = builtin<types.StatefulSet>('apps/v1/StatefulSet', { shortNames: ['sts'], categories: all });
export type StatefulSet = types.StatefulSet;

export const SelfSubjectReview = builtin<types.SelfSubjectReview>('authentication.k8s.io/v1/SelfSubjectReview');
export type SelfSubjectReview = types.SelfSubjectReview;
export const TokenRequest = builtin<types.TokenRequest>('authentication.k8s.io/v1/TokenRequest');
export type TokenRequest = types.TokenRequest;
export const TokenReview = builtin<types.TokenReview>('authentication.k8s.io/v1/TokenReview');
export type TokenReview = types.TokenReview;
export const LocalSubjectAccessReview = builtin<types.LocalSubjectAccessReview>(
  'authorization.k8s.io/v1/LocalSubjectAccessReview',
);
export type LocalSubjectAccessReview = types.LocalSubjectAccessReview;
export const SelfSubjectAccessReview = builtin<types.SelfSubjectAccessReview>(
  'authorization.k8s.io/v1/SelfSubjectAccessReview',
);
export type SelfSubjectAccessReview = types.SelfSubjectAccessReview;
export const SelfSubjectRulesReview = builtin<types.SelfSubjectRulesReview>(
  'authorization.k8s.io/v1/SelfSubjectRulesReview',
);
export type SelfSubjectRulesReview = types.SelfSubjectRulesReview;
export const SubjectAccessReview = builtin<types.SubjectAccessReview>('authorization.k8s.io/v1/SubjectAccessReview');
export type SubjectAccessReview = types.SubjectAccessReview;

export const HorizontalPodAutoscaler = builtin<types.HorizontalPodAutoscaler>(
  'autoscaling/v2/HorizontalPodAutoscaler',
  { shortNames: ['hpa'], categories: all },
);
export type HorizontalPodAutoscaler = types.HorizontalPodAutoscaler;

export const CronJob = builtin<types.CronJob>('batch/v1/CronJob', { shortNames: ['cj'], categories: all });
export type CronJob = types.CronJob;
export const Job = builtin<types.Job>('batch/v1/Job', { categories: all });
export type Job = types.Job;

export const CertificateSigningRequest = builtin<types.CertificateSigningRequest>(
  'certificates.k8s.io/v1/CertificateSigningRequest',
  { shortNames: ['csr'] },
);
export type CertificateSigningRequest = types.CertificateSigningRequest;

export const Lease = builtin<types.Lease>('coordination.k8s.io/v1/Lease');
export type Lease = types.Lease;
export const EndpointSlice = builtin<types.EndpointSlice>('discovery.k8s.io/v1/EndpointSlice');
export type EndpointSlice = types.EndpointSlice;
/** An Event in `events.k8s.io`: the same objects as in the core group. */
export const EventsEvent = builtin<types.EventsEvent>('events.k8s.io/v1/Event', { shortNames: ['ev'] });
export type EventsEvent = types.EventsEvent;

export const IPAddress = builtin<types.IPAddress>('networking.k8s.io/v1/IPAddress', { shortNames: ['ip'] });
export type IPAddress = types.IPAddress;
export const Ingress = builtin<types.Ingress>('networking.k8s.io/v1/Ingress', { shortNames: ['ing'] });
export type Ingress = types.Ingress;
export const IngressClass = builtin<types.IngressClass>('networking.k8s.io/v1/IngressClass');
export type IngressClass = types.IngressClass;
export const NetworkPolicy = builtin<types.NetworkPolicy>('networking.k8s.io/v1/NetworkPolicy', {
  shortNames: ['netpol'],
});
export type NetworkPolicy = types.NetworkPolicy;
export const ServiceCIDR = builtin<types.ServiceCIDR>('networking.k8s.io/v1/ServiceCIDR');
export type ServiceCIDR = types.ServiceCIDR;
export const Eviction = builtin<types.Eviction>('policy/v1/Eviction');
export type Eviction = types.Eviction;
export const PodDisruptionBudget = builtin<types.PodDisruptionBudget>('policy/v1/PodDisruptionBudget', {
  shortNames: ['pdb'],
});
export type PodDisruptionBudget = types.PodDisruptionBudget;

export const ClusterRole = builtin<types.ClusterRole>('rbac.authorization.k8s.io/v1/ClusterRole');
export type ClusterRole = types.ClusterRole;
export const ClusterRoleBinding = builtin<types.ClusterRoleBinding>('rbac.authorization.k8s.io/v1/ClusterRoleBinding');
export type ClusterRoleBinding = types.ClusterRoleBinding;
export const Role = builtin<types.Role>('rbac.authorization.k8s.io/v1/Role');
export type Role = types.Role;
export const RoleBinding = builtin<types.RoleBinding>('rbac.authorization.k8s.io/v1/RoleBinding');
export type RoleBinding = types.RoleBinding;

export const DeviceClass = builtin<types.DeviceClass>('resource.k8s.io/v1/DeviceClass');
export type DeviceClass = types.DeviceClass;
export const ResourceClaim = builtin<types.ResourceResourceClaim>('resource.k8s.io/v1/ResourceClaim');
export type ResourceClaim = types.ResourceResourceClaim;
export const ResourceClaimTemplate = builtin<types.ResourceClaimTemplate>('resource.k8s.io/v1/ResourceClaimTemplate');
export type ResourceClaimTemplate = types.ResourceClaimTemplate;
export const ResourceSlice = builtin<types.ResourceSlice>('resource.k8s.io/v1/ResourceSlice');
export type ResourceSlice = types.ResourceSlice;

export const PriorityClass = builtin<types.PriorityClass>('scheduling.k8s.io/v1/PriorityClass', {
  shortNames: ['pc'],
});
export type PriorityClass = types.PriorityClass;

export const CSIDriver = builtin<types.CSIDriver>('storage.k8s.io/v1/CSIDriver');
export type CSIDriver = types.CSIDriver;
export const CSINode = builtin<types.CSINode>('storage.k8s.io/v1/CSINode');
export type CSINode = types.CSINode;
export const StorageClass = builtin<types.StorageClass>('storage.k8s.io/v1/StorageClass', { shortNames: ['sc'] });
export type StorageClass = types.StorageClass;
export const VolumeAttachment = builtin<types.VolumeAttachment>('storage.k8s.io/v1/VolumeAttachment');
export type VolumeAttachment = types.VolumeAttachment;
export const VolumeAttributesClass = builtin<types.VolumeAttributesClass>('storage.k8s.io/v1/VolumeAttributesClass', {
  shortNames: ['vac'],
});
export type VolumeAttributesClass = types.VolumeAttributesClass;

/** Every built-in kind whose objects are stored. */
export const builtinKinds: readonly Kind[] = [
  ConfigMap,
  Endpoints,
  Event,
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  ReplicationController,
  ResourceQuota,
  Secret,
  Service,
  ServiceAccount,
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
  CustomResourceDefinition,
  ControllerRevision,
  DaemonSet,
  Deployment,
  ReplicaSet,
  StatefulSet,
  HorizontalPodAutoscaler,
  CronJob,
  Job,
  CertificateSigningRequest,
  Lease,
  EndpointSlice,
  EventsEvent,
  IPAddress,
  NetworkPolicy,
  ServiceCIDR,
  PodDisruptionBudget,
  ClusterRole,
  ClusterRoleBinding,
  Role,
  RoleBinding,
  DeviceClass,
  ResourceClaim,
  ResourceClaimTemplate,
  ResourceSlice,
  PriorityClass,
  CSIDriver,
  CSINode,
  StorageClass,
  VolumeAttachment,
  VolumeAttributesClass,
  // At the end, since recorded conversations about all kinds follow this order.
  Ingress,
  IngressClass,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
];

function builtin<T extends KubeObject>(key: keyof typeof generated.kinds, extras: KindExtras = {}): Kind<T> {
  const [name = '', version = '', group = ''] = key.split('/').toReversed();
  const { plural, scope, subresources, definition = name } = generated.kinds[key] as KindFacts;
  let schema: Schema | undefined;
  return {
    group,
    version,
    kind: name,
    plural,
    singular: name.toLowerCase(),
    scope,
    apiVersion: apiVersionOf(group, version),
    shortNames: extras.shortNames ?? [],
    categories: extras.categories ?? [],
    ...(extras.confidential === true && { confidential: true }),
    get schema() {
      return (schema ??= kindSchema(definition));
    },
    subresources,
    printerColumns: [],
  };
}
