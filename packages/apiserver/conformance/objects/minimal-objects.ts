// SPDX-License-Identifier: Apache-2.0
import { builtinKinds, IPAddress } from '@forge/kube/kinds/builtin.ts';
import { collectionPath, type Kind } from '@forge/kube/kinds/kind.ts';
import { isObject, type JsonObject } from '@forge/kube/objects/json.ts';
import type { Schema } from '@forge/kube/schema/schema.ts';
import { certificateRequest } from './objects.ts';

const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'a', image: 'a' }] } };
const workload = { selector: { matchLabels: { app: 'a' } }, template };
const jobTemplate = { spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } } } };
const storage = { accessModes: ['ReadWriteOnce'] };
const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'none' };

/** The minimal contents of a valid object of each kind, besides metadata. */
const needed: Readonly<Record<string, (namespace: string) => JsonObject>> = {
  ConfigMap: () => ({}),
  Event: (namespace) => ({ involvedObject: { namespace } }),
  Namespace: () => ({}),
  Node: () => ({}),
  PersistentVolume: () => ({ spec: { ...storage, capacity: { storage: '1' }, hostPath: { path: '/a' } } }),
  PersistentVolumeClaim: () => ({ spec: { ...storage, resources: { requests: { storage: '1' } } } }),
  Pod: () => ({ spec: { ...template.spec, automountServiceAccountToken: false } }),
  Secret: () => ({}),
  Service: () => ({ spec: { clusterIP: 'None' } }),
  ServiceAccount: () => ({}),
  MutatingWebhookConfiguration: () => ({}),
  ValidatingWebhookConfiguration: () => ({}),
  Deployment: () => ({ spec: workload }),
  ReplicaSet: () => ({ spec: { selector: workload.selector, template } }),
  StatefulSet: () => ({ spec: workload }),
  HorizontalPodAutoscaler: () => ({
    spec: { maxReplicas: 1, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' } },
  }),
  CronJob: () => ({ spec: { schedule: '* * * * *', jobTemplate } }),
  Job: () => ({ spec: jobTemplate.spec }),
  Lease: () => ({}),
  EndpointSlice: () => ({ addressType: 'IPv4' }),
  NetworkPolicy: () => ({}),
  PodDisruptionBudget: () => ({}),
  ClusterRole: () => ({}),
  ClusterRoleBinding: () => ({ roleRef }),
  Role: () => ({}),
  RoleBinding: () => ({ roleRef }),
  PriorityClass: () => ({ value: 0 }),
  StorageClass: () => ({ provisioner: 'example.com/none' }),
  Endpoints: () => ({}),
  ReplicationController: () => ({ spec: { template } }),
  ResourceQuota: () => ({}),
  ControllerRevision: () => ({ data: { a: 1 }, revision: 0 }),
  DaemonSet: () => ({ spec: workload }),
  'events.k8s.io/v1/Event': (namespace) => ({
    eventTime: '9000-01-01T00:00:00.000000Z',
    regarding: { namespace },
    reportingController: 'a',
    reportingInstance: 'a',
    action: 'a',
    reason: 'a',
    type: 'Normal',
  }),
  ServiceCIDR: () => ({ spec: { cidrs: ['192.0.2.0/24'] } }),
  DeviceClass: () => ({ spec: {} }),
  ResourceClaim: () => ({ spec: {} }),
  ResourceClaimTemplate: () => ({ spec: { spec: {} } }),
  ResourceSlice: () => ({
    spec: { driver: 'a', allNodes: true, pool: { name: 'a', generation: 0, resourceSliceCount: 1 } },
  }),
  CSIDriver: () => ({ spec: {} }),
  CSINode: () => ({ spec: {} }),
  VolumeAttachment: () => ({ spec: { attacher: 'a', nodeName: 'a', source: { persistentVolumeName: 'a' } } }),
  VolumeAttributesClass: () => ({ driverName: 'a', parameters: { a: 'b' } }),
  IPAddress: () => ({ spec: { parentRef: { resource: 'a', name: 'a' } } }),
  // With a class, so that none is defaulted while another case has a default class.
  Ingress: () => ({ spec: { ingressClassName: 'none', defaultBackend: { resource: { kind: 'a', name: 'a' } } } }),
  IngressClass: () => ({ spec: { controller: 'example.com/none' } }),
  ValidatingAdmissionPolicy: () => ({
    spec: {
      matchConstraints: {
        resourceRules: [{ operations: ['*'], apiGroups: ['example.com'], apiVersions: ['v1'], resources: ['none'] }],
      },
      validations: [{ expression: 'true' }],
    },
  }),
  ValidatingAdmissionPolicyBinding: () => ({ spec: { policyName: 'none', validationActions: ['Audit'] } }),
  CertificateSigningRequest: () => ({ spec: { request: certificateRequest, signerName: 'a.b/c', usages: ['any'] } }),
};

/** A kind with its minimal valid object. */
export interface MinimalObject {
  readonly kind: Kind;
  /** Path of the collection. */
  readonly path: string;
  readonly object: JsonObject;
  /** The same with null in every omitted field. */
  readonly withNulls: JsonObject;
}

/** The minimal valid object of every built-in kind but CustomResourceDefinition, which has its own cases. */
export function minimalObjects(namespace: string): MinimalObject[] {
  return builtinKinds.flatMap((kind) => {
    const rest = needed[`${kind.apiVersion}/${kind.kind}`] ?? needed[kind.kind];
    if (rest === undefined) return [];
    const metadata = { name: nameOf(kind, namespace) };
    const object = { apiVersion: kind.apiVersion, kind: kind.kind, metadata, ...rest(namespace) };
    const path = collectionPath(kind, namespace);
    return [{ kind, path, object, withNulls: { ...(nullsIn(object, kind.schema) as JsonObject), metadata } }];
  });
}

function nameOf(kind: Kind, namespace: string): string {
  if (kind !== IPAddress) return kind.scope === 'Cluster' ? `${namespace}-a` : 'a';
  // The name of an IPAddress is its address; cluster-scoped names belong to the case.
  const bytes = (namespace.slice(-6).match(/[0-9a-f]{2}/g) ?? []).map((byte) => Number.parseInt(byte, 16));
  return [10, ...bytes].join('.');
}

function nullsIn(value: unknown, schema: Schema): unknown {
  if (Array.isArray(value)) return value.map((item) => nullsIn(item, schema.items ?? {}));
  if (!isObject(value) || schema.properties === undefined) return value;
  const fields = Object.entries(schema.properties).map(([field, child]) => [
    field,
    value[field] === undefined ? null : nullsIn(value[field], child),
  ]);
  return { ...value, ...Object.fromEntries(fields) };
}
