// SPDX-License-Identifier: Apache-2.0
import { isApiError } from '@forge/kube/errors/api-error.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { refOf, type KubeObject, type OwnerReference } from '@forge/kube/objects/object.ts';
import { StaleCacheError } from '../queue/reconcile-error.ts';
import type { ReconcileContext } from './controller.ts';

/** The object with these finalizers added, provided that it is unchanged. */
export async function withFinalizers<T extends KubeObject>(
  kind: Kind<T>,
  object: T,
  wanted: readonly string[],
  { client, signal }: Pick<ReconcileContext, 'client' | 'signal'>,
): Promise<T> {
  const { resourceVersion, finalizers = [] } = object.metadata;
  const missing = wanted.filter((finalizer) => !finalizers.includes(finalizer));
  if (missing.length === 0) return object;
  const metadata = { resourceVersion, finalizers: [...finalizers, ...missing] };
  return await client.patch(kind, refOf(object), 'merge', { metadata }, { signal });
}

/** The finalizers and owner references to remove. */
interface ReleasedItems {
  finalizers?: (finalizer: string) => boolean;
  owners?: (owner: OwnerReference) => boolean;
}

/**
 * Removes finalizers and owner references, provided that the lists are unchanged; a deleted object is no error.
 */
export async function releaseObject<T extends KubeObject>(
  kind: Kind<T>,
  object: T,
  { finalizers: isFinalizer = () => false, owners: isOwner = () => false }: ReleasedItems,
  { client, signal }: Pick<ReconcileContext, 'client' | 'signal'>,
): Promise<void> {
  const { uid, finalizers = [], ownerReferences = [] } = object.metadata;
  const changes = [
    ...without('/metadata/finalizers', finalizers, isFinalizer),
    ...without('/metadata/ownerReferences', ownerReferences, isOwner),
  ];
  if (changes.length === 0) return;
  const patch = [{ op: 'test', path: '/metadata/uid', value: uid }, ...changes];
  try {
    await client.patch(kind, refOf(object), 'json', patch, { signal });
  } catch (error) {
    if (isApiError(error, 'NotFound')) return;
    // A test of the patch failed; validation errors would be listed as causes.
    const isOutdated = isApiError(error, 'Invalid') && error.status.details?.causes === undefined;
    throw isOutdated
      ? new StaleCacheError(`finalizers or owner references of ${kind.kind} ${object.metadata.name} have changed`)
      : error;
  }
}

function without<V>(path: string, list: readonly V[], isUnwanted: (value: V) => boolean): object[] {
  const kept = list.filter((value) => !isUnwanted(value));
  if (kept.length === list.length) return [];
  return [
    { op: 'test', path, value: list },
    { op: 'replace', path, value: kept },
  ];
}
