// SPDX-License-Identifier: Apache-2.0
import type { PodStatus } from '@forge/kube/generated/types.ts';
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import type { ObjectMeta } from '@forge/kube/objects/object.ts';

/** The day of all timestamps in tests. */
export const noon = Date.UTC(2026, 0, 1, 12);

/** A timestamp this many seconds after noon. */
export function at(second: number): string {
  return new Date(noon + second * 1000).toISOString().replace('.000Z', 'Z');
}

/** A pod on a node; its uid is its name. */
export function pod(name: string, metadata: Partial<ObjectMeta> = {}, status: PodStatus = { phase: 'Running' }): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', uid: name, creationTimestamp: at(0), ...metadata },
    spec: { nodeName: 'fake', containers: [{ name: 'main', image: 'main' }] },
    status,
  };
}

/** The status of a pod that became ready this many seconds after noon. */
export function readyAt(second: number): PodStatus {
  return { phase: 'Running', conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: at(second) }] };
}

/** The status of a pod whose container terminated this many seconds after noon. */
export function endedAt(second: number, exitCode: number): PodStatus {
  const state = { terminated: { exitCode, finishedAt: at(second) } };
  return {
    phase: exitCode === 0 ? 'Succeeded' : 'Failed',
    containerStatuses: [{ name: 'main', image: 'main', imageID: 'main', ready: false, restartCount: 0, state }],
  };
}
