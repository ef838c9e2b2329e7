// SPDX-License-Identifier: Apache-2.0
import type { PodStatus } from '@forge/kube/generated/types.ts';

/** Why a container has no log, in the kubelet's words. */
export interface LogProblem {
  status: 404 | 400;
  problem: string;
}

/** A request for a log. */
interface LogRequest {
  pod: string;
  container: string;
  /** Whether to read the log of the run before the current one, or of the last run while the container waits. */
  previous: boolean;
}

/** The run of a container whose log is requested, counted from 0. */
export function loggedRun(status: PodStatus | undefined, request: LogRequest): number | LogProblem {
  const { pod, container, previous } = request;
  const where = `container "${container}" in pod "${pod}"`;
  const { initContainerStatuses = [], containerStatuses = [], ephemeralContainerStatuses = [] } = status ?? {};
  const statuses = [...initContainerStatuses, ...containerStatuses, ...ephemeralContainerStatuses];
  const found = statuses.find(({ name }) => name === container);
  if (!found) return { status: 404, problem: `container "${container}" not found in pod "${pod}"\n` };
  const { state, lastState, restartCount } = found;
  const hasPrevious = lastState?.terminated?.containerID !== undefined;
  const isCurrent = state?.running !== undefined || state?.terminated !== undefined;
  if (previous && !hasPrevious) return { status: 400, problem: `previous terminated ${where} not found` };
  if (previous && isCurrent) return restartCount - 1;
  if (isCurrent || hasPrevious) return restartCount;
  return { status: 400, problem: `${where} is waiting to start${waitingFor(state?.waiting?.reason)}` };
}

function waitingFor(reason: string | undefined): string {
  if (reason === 'ErrImagePull') return ": image can't be pulled";
  if (reason === 'ImagePullBackOff') return ': trying and failing to pull image';
  return reason === undefined ? ' - no logs yet' : `: ${reason}`;
}
