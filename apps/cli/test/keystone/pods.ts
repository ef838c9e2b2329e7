// SPDX-License-Identifier: Apache-2.0
import type { Pod } from '@forge/kube/kinds/builtin.ts';

/** The uids and restart counts of pods, which change when a pod is replaced or its container is restarted. */
export function restartsOf(pods: readonly Pod[]): string[] {
  return pods
    .map(({ metadata, status }) => `${metadata.uid} ${status?.containerStatuses?.[0]?.restartCount}`)
    .toSorted();
}
