// SPDX-License-Identifier: Apache-2.0
import { isApiError } from '@forge/kube/errors/api-error.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { refOf, type KubeObject } from '@forge/kube/objects/object.ts';
import type { ReconcileContext } from '../../controller/controller.ts';
import { KindNotInstalled } from '../../steps/kind-not-installed.ts';
import { checkAccepted } from './write-rejected.ts';

/**
 * Deletes this object, not a successor of the same name; `exact`: only at this resource version. A terminating object is
 * left alone; one that no longer exists, or whose kind is not installed, is no error.
 */
export async function deleteLive(
  kind: Kind,
  live: KubeObject,
  { client, signal }: Pick<ReconcileContext, 'client' | 'signal'>,
  { exact = false, propagation = 'Background' }: { exact?: boolean; propagation?: 'Background' | 'Foreground' } = {},
): Promise<void> {
  const { uid, resourceVersion, deletionTimestamp } = live.metadata;
  if (deletionTimestamp !== undefined) return;
  const preconditions = {
    ...(uid !== undefined && { uid }),
    ...(exact && resourceVersion !== undefined && { resourceVersion }),
  };
  try {
    // Some kinds orphan their dependents by default.
    const deleted = client.delete(kind, refOf(live), { propagation, preconditions, signal });
    await checkAccepted(kind, live, deleted);
  } catch (error) {
    if (!isApiError(error, 'NotFound') && !(error instanceof KindNotInstalled)) throw error;
  }
}
