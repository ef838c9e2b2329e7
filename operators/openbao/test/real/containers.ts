// SPDX-License-Identifier: Apache-2.0
import type { LiveOpenBao } from './live-openbao.ts';

/** What changes when a pod is replaced or its container restarts, by the names of the pods. */
export async function containersOf(bao: LiveOpenBao): Promise<Map<string, string>> {
  const pods = await bao.pods();
  return new Map(
    pods.map(({ metadata, status }) => [
      metadata.name,
      `${metadata.uid} ${status?.containerStatuses?.[0]?.containerID ?? 'none'}`,
    ]),
  );
}
