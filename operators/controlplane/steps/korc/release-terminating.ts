// SPDX-License-Identifier: Apache-2.0
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { seconds, type Duration } from '@forge/runtime/environment/duration.ts';
import { isKorcFinalizer } from '../../api/names.ts';
import type { ContextWith } from '../../clients/services.ts';

/** How long a deleted Secret is left alone: if its namespace is being deleted, the ControlPlane is deleted by then, too. */
export const terminatingTimeout = seconds(60);
const recheck = seconds(10);

/** For how long the Secret has been seen Terminating; to be asked by every run of the step that releases it. */
export function terminatingFor(secret: Secret | undefined, { seenFor }: Pick<ContextWith, 'seenFor'>): Duration {
  return seenFor(`terminating ${secret?.metadata.uid}`, secret?.metadata.deletionTimestamp !== undefined);
}

/**
 * Removes K-ORC's finalizers from a Secret that somebody deleted while objects of K-ORC log in with it. They would keep it
 * Terminating forever, and K-ORC could not guard it for objects of further kinds. Whoever writes the Secret creates it again.
 *
 * @returns when to look again; undefined when there is nothing to do.
 */
export async function releaseTerminating(
  secret: Secret | undefined,
  seen: Duration,
  { release }: Pick<ContextWith, 'release'>,
): Promise<Duration | undefined> {
  const { deletionTimestamp, finalizers = [] } = secret?.metadata ?? {};
  if (secret === undefined || deletionTimestamp === undefined || !finalizers.some(isKorcFinalizer)) return undefined;
  if (seen < terminatingTimeout) return recheck;
  await release(Secret, secret, { finalizers: isKorcFinalizer });
  return undefined;
}
