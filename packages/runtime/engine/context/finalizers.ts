// SPDX-License-Identifier: Apache-2.0
import { isApiError } from '@forge/kube/errors/api-error.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { refOf, type KubeObject, type OwnerReference } from '@forge/kube/objects/object.ts';
import type { ReconcileContext } from '../../controller/controller.ts';
import { StaleCacheError } from '../../queue/reconcile-error.ts';

/** The object with these finalizers on, provided that it is still as we know it. */
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

/** What shall no longer hold an object. */
interface ReleasedItems {
  finalizers?: (finalizer: string) => boolean;
  owners?: (owner: OwnerReference) => boolean;
}

/**
 * Takes finalizers and owner references off, provided that the lists are still as we know them; of an object that is gone
 * nothing is left to do.
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
    // A test of the patch failed; what the server finds wrong with an object it lists as causes.
    const isOutdated = isApiError(error, 'Invalid') && error.status.details?.causes === undefined;
    throw isOutdated ? new StaleCacheError(`what holds ${kind.kind} ${object.metadata.name} has changed`) : error;
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
