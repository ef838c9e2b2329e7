// SPDX-License-Identifier: Apache-2.0
import type { FieldError } from '@forge/kube/errors/field-error.ts';
import type { CustomResourceSubresourceScale } from '@forge/kube/generated/types.ts';
import { type Kind, resourceName } from '@forge/kube/kinds/kind.ts';
import type { KubeObject, ObjectMeta } from '@forge/kube/objects/object.ts';
import type { User } from '../messages/server-request.ts';
import type { StoredObject } from '../storage/stored-object.ts';
import type { CoreContext } from './core-context.ts';
import type { TableColumn } from './table-column.ts';
import type { Warn } from './warn.ts';

/** Kind-specific behaviour beyond the schema; everything else is the same for all kinds. */
export interface Strategy<T extends KubeObject = KubeObject> {
  /** Sets default values. */
  default?(object: T): T;
  /** Sets what only the server can know on create: addresses, initial status. */
  prepareForCreate?(object: T, context: CoreContext, user: User): T;
  /** Restores fields of an updated object that may be omitted but not changed. */
  prepareForUpdate?(object: T, before: T, context: CoreContext): T;
  /** Completes a status on update, through the status or another subresource. */
  prepareForStatusUpdate?(object: T, before: T, context: CoreContext, subresource: string): T;
  /** Whether another object has taken an allocated address or port in the meantime. */
  hasAllocationConflict?(object: T, before: T | undefined, context: CoreContext): boolean;
  /** Sets zero values that kube-apiserver serializes although they are unset and unmanaged. */
  fillZeroValues?(object: T): T;
  /** Validation beyond the schema; `before` is given for updates. */
  validate?(object: T, before: T | undefined, subresource: string | undefined): FieldError[];
  /** Warnings for an accepted object; not called for status updates. */
  warnings?(object: T, warn: Warn, before: T | undefined): void;
  /** Fields supported by field selectors, besides name and namespace. */
  selectableFields?: readonly string[];
  /** The object that field selectors are matched against, if different. */
  selectableObject?(object: T): object;
  /** Paths of the scale subresource of a custom resource. */
  scale?: CustomResourceSubresourceScale;
  /** Whether an update must have a resourceVersion; always true of custom resources. */
  requiresVersionOnUpdate?: boolean;
  /** Whether an update creates a missing object. */
  allowCreateOnUpdate?: boolean;
  /** Whether metadata.generation counts spec changes, starting with 1 or with the first change. */
  generation?: boolean | 'from the first change';
  /** Whether managedFields are not tracked. */
  skipsManagedFields?: boolean;
  /** Whether dependents are orphaned by default. */
  orphansByDefault?: boolean;
  /** Whether a created object keeps the status in the request. */
  keepsStatusOnCreate?: boolean;
  /** Metadata that a status update cannot change; all metadata of custom resources. */
  metadataKeptOnStatusUpdate?: readonly (keyof ObjectMeta)[];
  /** Whether a delete returns the object instead of a Status. */
  returnsDeletedObject?: boolean;
  /** Why this object cannot be deleted; undefined when it can. */
  deletionForbidden?(object: T): string | undefined;
  /** Changes made to an object when its deletion starts. */
  prepareForDelete?(object: T): T;
  /** Whether a deletion sets neither deletionGracePeriodSeconds nor a new generation. */
  omitsDeletionDetails?: boolean;
  /** Whether finalizers outside metadata keep a terminating object. */
  hasPendingFinalizers?(object: T): boolean;
  /** Grace period in seconds after a delete; 0 removes the object immediately. */
  gracePeriod?(object: T, requested: number | undefined): number;
}

/** A served resource. */
export interface Resource {
  readonly kind: Kind;
  /** Qualified name: `deployments.apps`. */
  readonly name: string;
  /** Key prefix of its objects: its name, or that of the resource it shares its storage with. */
  readonly storage: string;
  /** Whether it is defined by a CustomResourceDefinition. */
  readonly custom: boolean;
  readonly strategy: Strategy;
  /** Printer columns. */
  readonly columns: readonly TableColumn[];
  /**
   * Converts a stored object to this version under the current definition, whatever version and definition it was
   * written with.
   */
  readonly toServed: (object: StoredObject, written?: number) => StoredObject;
  /** Converts an object of this version to the storage version. */
  readonly toStored: (object: KubeObject) => KubeObject;
  /** The storage version. */
  readonly storageVersion: string;
  /** Warning of a deprecated version. */
  readonly deprecation?: string;
}

/** Storage key of an object; without a name, the prefix of the collection. */
export function keyOf(of: Resource, namespace: string | undefined, name = ''): string {
  return `${of.storage}/${namespace ?? ''}/${name}`;
}

/** Key prefix of the resource, in one namespace or in all. */
export function prefixOf(of: Resource, namespace: string | undefined): string {
  return namespace === undefined ? `${of.storage}/` : keyOf(of, namespace);
}

/** Whether the resource has a status subresource. */
export function hasStatus({ kind }: Resource): boolean {
  return kind.subresources.includes('status');
}

/** The group of the stored objects: the core group for resources that share its storage. */
export function storedGroup({ kind, name, storage }: Resource): string {
  return name === storage ? kind.group : '';
}

/** Defines a resource, with defaults derived from its kind. */
export function defineResource(
  kind: Kind,
  rest: Pick<Resource, 'custom' | 'strategy' | 'columns'> & Partial<Resource>,
): Resource {
  const name = resourceName(kind);
  const { version: storageVersion } = kind;
  return { kind, name, storage: name, toServed: unconverted, toStored: same, storageVersion, ...rest };
}

/** No conversion: built-in kinds have one version. */
export function unconverted(stored: StoredObject): StoredObject {
  return stored;
}

function same<T>(value: T): T {
  return value;
}
