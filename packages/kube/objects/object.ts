// SPDX-License-Identifier: Apache-2.0

/** A reference to the owner, for the garbage collector. */
export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

/** The fields of one field manager. */
export interface ManagedFieldsEntry {
  manager: string;
  operation: 'Apply' | 'Update';
  apiVersion: string;
  time?: string;
  fieldsType: 'FieldsV1';
  fieldsV1: Record<string, unknown>;
  subresource?: string;
}

/** The metadata of every stored object; fields that the server sets are optional. */
export interface ObjectMeta {
  name: string;
  generateName?: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string;
  /** Deprecated; stored as sent. */
  selfLink?: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
  managedFields?: ManagedFieldsEntry[];
}

/** Any Kubernetes object. Objects that come from a client or a cache are shared: never change them in place. */
export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
}

/** A condition in status.conditions. */
export interface Condition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  reason: string;
  message: string;
  lastTransitionTime: string;
  observedGeneration?: number;
}

/** Namespace and name of an object; cluster-scoped kinds have no namespace. */
export interface ObjectRef {
  namespace?: string | undefined;
  name: string;
}

/** The reference of an object. */
export function refOf(object: KubeObject): ObjectRef {
  return { namespace: object.metadata.namespace, name: object.metadata.name };
}

/** Whether the object has been deleted, but is held by finalizers or its grace period. */
export function isTerminating({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}

/** The group of an apiVersion; the core group is empty. */
export function groupOf(apiVersion = ''): string {
  const slash = apiVersion.indexOf('/');
  return slash === -1 ? '' : apiVersion.slice(0, slash);
}
