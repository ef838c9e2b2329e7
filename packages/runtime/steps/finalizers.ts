// SPDX-License-Identifier: Apache-2.0
import { isRefusal } from '@forge/kube/api-error.ts';
import type { Kind } from '@forge/kube/kind.ts';
import { refOf, type KubeObject } from '@forge/kube/object.ts';
import type { Reconcile } from '../controller.ts';
import { Outdated } from '../reconcile-error.ts';

/** Puts these finalizers on the object, provided that it is still as we know it; tells whether any was missing. */
export async function addFinalizers<T extends KubeObject>(
  kind: Kind<T>,
  object: T,
  wanted: readonly string[],
  { client, signal }: Pick<Reconcile, 'client' | 'signal'>,
): Promise<boolean> {
  const { resourceVersion, finalizers = [] } = object.metadata;
  const missing = wanted.filter((finalizer) => !finalizers.includes(finalizer));
  if (missing.length === 0) return false;
  const metadata = { resourceVersion, finalizers: [...finalizers, ...missing] };
  await client.patch(kind, refOf(object), 'merge', { metadata }, { signal });
  return true;
}

/** Takes these finalizers off, provided that the list is still as we know it; of an object that is gone nothing is left to do. */
export async function removeFinalizers<T extends KubeObject>(
  kind: Kind<T>,
  object: T,
  unwanted: readonly string[],
  { client, signal }: Pick<Reconcile, 'client' | 'signal'>,
): Promise<void> {
  if (unwanted.length === 0) return;
  const { uid, finalizers = [] } = object.metadata;
  const path = '/metadata/finalizers';
  const patch = [
    { op: 'test', path: '/metadata/uid', value: uid },
    { op: 'test', path, value: finalizers },
    { op: 'replace', path, value: finalizers.filter((finalizer) => !unwanted.includes(finalizer)) },
  ];
  try {
    await client.patch(kind, refOf(object), 'json', patch, { signal });
  } catch (error) {
    if (isRefusal(error, 'NotFound')) return;
    // A test of the patch failed; what the server finds wrong with an object it lists as causes.
    const isOutdated = isRefusal(error, 'Invalid') && error.status.details?.causes === undefined;
    throw isOutdated ? new Outdated(`the finalizers of ${kind.kind} ${object.metadata.name} have changed`) : error;
  }
}
