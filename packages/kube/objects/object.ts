// SPDX-License-Identifier: Apache-2.0

/** Says which object owns this one; the garbage collector follows it. */
export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

/** One writer's share of an object's fields. */
export interface ManagedFieldsEntry {
  manager: string;
  operation: 'Apply' | 'Update';
  apiVersion: string;
  time?: string;
  fieldsType: 'FieldsV1';
  fieldsV1: Record<string, unknown>;
  subresource?: string;
}

/** The metadata every stored object carries; what the server fills in is optional. */
export interface ObjectMeta {
  name: string;
  generateName?: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string;
  /** Nobody reads it any more; what an update says is kept. */
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

/** A condition as status.conditions of our kinds carries it. */
export interface Condition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  reason: string;
  message: string;
  lastTransitionTime: string;
  observedGeneration?: number;
}

/** Where an object lives; cluster-scoped kinds have no namespace. */
export interface ObjectRef {
  namespace?: string | undefined;
  name: string;
}

/** The place of an object, as a reference to hand to a client. */
export function refOf(object: KubeObject): ObjectRef {
  return { namespace: object.metadata.namespace, name: object.metadata.name };
}
