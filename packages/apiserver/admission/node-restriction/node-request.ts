// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { forbidden, notFound } from '../../messages/status-errors.ts';
import type { Resource } from '../../resources/resource.ts';
import type { Store } from '../../storage/store.ts';

/** A write of a node. */
export interface NodeRequest {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE';
  readonly resource: Resource;
  readonly subresource: string | undefined;
  readonly namespace: string | undefined;
  /** Empty for a create with a generated name. */
  readonly name: string;
  /** The new object; undefined for a deletion. */
  readonly object: KubeObject | undefined;
  readonly before: KubeObject | undefined;
}

/** Throws when the node of this name is not allowed to send this request. */
export type Restriction = (node: string, request: NodeRequest, store: Store) => void;

/** 404 as kube-apiserver's caches report it: with the singular. */
export function notCached(kind: Kind, name: string): Error {
  return notFound({ ...kind, plural: kind.kind.toLowerCase() }, name);
}

/** Forbidden, worded as kube-apiserver does. */
export function refuse({ resource, name, object }: NodeRequest, why: string): never {
  const { generateName } = object?.metadata ?? {};
  throw forbidden(resource.kind, [name, generateName].find(Boolean) ?? 'Unknown', why);
}
