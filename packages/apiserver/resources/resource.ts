// SPDX-License-Identifier: Apache-2.0
import type { FieldError } from '@forge/kube/errors/field-error.ts';
import type { CustomResourceSubresourceScale } from '@forge/kube/generated/types.ts';
import { type Kind, resourceName } from '@forge/kube/kinds/kind.ts';
import type { KubeObject, ObjectMeta } from '@forge/kube/objects/object.ts';
import type { User } from '../request/server-request.ts';
import type { StoredObject } from '../storage/stored-object.ts';
import type { CoreContext } from './core-context.ts';
import type { TableColumn } from './table-column.ts';
import type { Warn } from './warn.ts';

/** What the server does for one kind beyond its schema; everything else is the same for all kinds. */
export interface Strategy<T extends KubeObject = KubeObject> {
  /** Fills in what the API promises when the writer says nothing. */
  default?(object: T): T;
  /** Fills in what only the server can know when an object is born: addresses, first status. */
  prepareForCreate?(object: T, context: CoreContext, user: User): T;
  /** Gives a changed object back what its writer may leave out, but not change. */
  prepareForUpdate?(object: T, before: T, context: CoreContext): T;
  /** Fills in what a status says of itself when it is written. */
  prepareForStatusUpdate?(object: T, before: T, context: CoreContext): T;
  /** Whether others have taken meanwhile what this object was given. */
  hasAllocationConflict?(object: T, before: T | undefined, context: CoreContext): boolean;
  /** Fills in what a real server shows although nobody set it, and nobody owns. */
  fillZeroValues?(object: T): T;
  /** Rules that the schema cannot say; `before` is there when the object is changed. */
  validate?(object: T, before: T | undefined, subresource: string | undefined): FieldError[];
  /** What its writer should know of an object that is taken; writes of the status are not told. */
  warnings?(object: T, warn: Warn, before: T | undefined): void;
  /** Fields a field selector may name, besides name and namespace. */
  selectableFields?: readonly string[];
  /** An object as field selectors see it, where they do not see its fields as they are. */
  selectableObject?(object: T): object;
  /** Where a custom resource keeps its scale. */
  scale?: CustomResourceSubresourceScale;
  /** Whether an update must say which version it stands on; a custom resource always must. */
  requiresVersionOnUpdate?: boolean;
  /** Whether an update creates an object that is not there. */
  allowCreateOnUpdate?: boolean;
  /** Whether metadata.generation counts changes of the spec, from 1 on or from the first change on. */
  generation?: boolean | 'from the first change';
  /** Whether it is not recorded who wrote what. */
  skipsManagedFields?: boolean;
  /** Whether what it owns stays when it is deleted, unless the delete says otherwise. */
  orphansByDefault?: boolean;
  /** Whether a new object keeps the status its creator sent. */
  keepsStatusOnCreate?: boolean;
  /** Metadata that a write of the status leaves as they are; all of a custom resource. */
  metadataKeptOnStatusUpdate?: readonly (keyof ObjectMeta)[];
  /** Whether a delete answers with the object instead of a Status. */
  returnsDeletedObject?: boolean;
  /** Why this object may never be deleted; undefined when it may. */
  deletionForbidden?(object: T): string | undefined;
  /** What changes about an object when its deletion begins. */
  prepareForDelete?(object: T): T;
  /** Whether neither a grace period nor the generation tells of a deletion. */
  omitsDeletionDetails?: boolean;
  /** Whether something besides metadata.finalizers keeps a dying object from going. */
  hasPendingFinalizers?(object: T): boolean;
  /** Seconds an object is given to end after a delete; none: it goes at once. */
  gracePeriod?(object: T, requested: number | undefined): number;
}

/** A kind as this server serves it. */
export interface Resource {
  readonly kind: Kind;
  /** `deployments.apps`: names the resource in messages. */
  readonly name: string;
  /** What the keys of its objects begin with: its name, or that of the resource whose objects it shows in another version. */
  readonly storage: string;
  /** Whether it comes from a CustomResourceDefinition. */
  readonly custom: boolean;
  readonly strategy: Strategy;
  /** Columns of `kubectl get`. */
  readonly columns: readonly TableColumn[];
  /**
   * An object in this version as it is defined now, whatever version it is stored in and whatever definition was in force
   * at the revision it was written at.
   */
  readonly toServed: (object: StoredObject, written?: number) => StoredObject;
  /** An object of this version as it is stored. */
  readonly toStored: (object: KubeObject) => KubeObject;
  /** The version that objects are stored in. */
  readonly storageVersion: string;
  /** What whoever uses a deprecated version is warned of. */
  readonly deprecation?: string;
}

/** Where an object is stored; without a name, what all keys of the collection begin with. */
export function keyOf(of: Resource, namespace: string | undefined, name = ''): string {
  return `${of.storage}/${namespace ?? ''}/${name}`;
}

/** What all keys of the resource begin with, in one namespace or in all. */
export function prefixOf(of: Resource, namespace: string | undefined): string {
  return namespace === undefined ? `${of.storage}/` : keyOf(of, namespace);
}

/** Whether status is written apart from the rest of the object. */
export function hasStatus({ kind }: Resource): boolean {
  return kind.subresources.includes('status');
}

/** The group whose objects are stored: another than its own for a resource that shows those of the core group. */
export function storedGroup({ kind, name, storage }: Resource): string {
  return name === storage ? kind.group : '';
}

/** A resource with what its kind says of itself. */
export function defineResource(
  kind: Kind,
  rest: Pick<Resource, 'custom' | 'strategy' | 'columns'> & Partial<Resource>,
): Resource {
  const name = resourceName(kind);
  const { version: storageVersion } = kind;
  return { kind, name, storage: name, toServed: unconverted, toStored: same, storageVersion, ...rest };
}

/** Shows objects as they are stored: what is built in has one version, and has always been defined as it is. */
export function unconverted(stored: StoredObject): StoredObject {
  return stored;
}

function same<T>(value: T): T {
  return value;
}
