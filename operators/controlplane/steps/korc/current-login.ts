// SPDX-License-Identifier: Apache-2.0
import { isApiError } from '@forge/kube/errors/api-error.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { isControlledBy } from '@forge/runtime/objects/owner-reference.ts';
import type { ContextWith } from '../../clients/services.ts';
import { loginBy, type KorcObject } from '../../objects/korc/korc-object.ts';

/**
 * Makes K-ORC log in for its object with the current entry of this clouds.yaml. The entry of an earlier name no longer exists,
 * and without a login an object that is deleted would be Terminating forever. Objects of others are left alone.
 */
export async function withCurrentLogin<R extends KorcObject>(
  kind: Kind<R>,
  live: R,
  secretName: string,
  { object: controlPlane, patch }: Pick<ContextWith, 'object' | 'patch'>,
): Promise<R> {
  if (!isControlledBy(live, controlPlane)) return live;
  try {
    return await patch(kind, live, { spec: { cloudCredentialsRef: loginBy(controlPlane, secretName) } });
  } catch (error) {
    // What is being deleted may be gone meanwhile.
    if (live.metadata.deletionTimestamp === undefined || !isApiError(error, 'NotFound')) throw error;
    return live;
  }
}
