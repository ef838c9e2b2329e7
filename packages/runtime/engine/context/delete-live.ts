// SPDX-License-Identifier: Apache-2.0
import { isApiError } from '@forge/kube/errors/api-error.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { refOf, type KubeObject } from '@forge/kube/objects/object.ts';
import type { ReconcileContext } from '../../controller/controller.ts';
import { checkAccepted, KindNotInstalled } from './write-rejected.ts';

/**
 * Deletes the object that we know, and no other that took its name; `exact` also none that has changed since. One that is
 * terminating is left alone, one that is gone, be it with its kind, is no error.
 */
export async function deleteLive(
  kind: Kind,
  live: KubeObject,
  { client, signal }: Pick<ReconcileContext, 'client' | 'signal'>,
  { exact = false }: { exact?: boolean } = {},
): Promise<void> {
  const { uid, resourceVersion, deletionTimestamp } = live.metadata;
  if (deletionTimestamp !== undefined) return;
  const preconditions = {
    ...(uid !== undefined && { uid }),
    ...(exact && resourceVersion !== undefined && { resourceVersion }),
  };
  try {
    // Some kinds' own default leaves the dependents behind.
    const deleted = client.delete(kind, refOf(live), { propagation: 'Background', preconditions, signal });
    await checkAccepted(kind, live, deleted);
  } catch (error) {
    if (!isApiError(error, 'NotFound') && !(error instanceof KindNotInstalled)) throw error;
  }
}
