// SPDX-License-Identifier: Apache-2.0
import type { ContainerState, ContainerStateTerminated, PodStatus } from '@forge/kube/generated/types.ts';
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import { timestamp, type Clock } from '@forge/runtime/environment/clock.ts';
import { milliseconds, now, seconds, type Duration } from '@forge/runtime/environment/duration.ts';
import { withCondition } from '../objects/with-condition.ts';

/** How a pod behaves; times count from the start of its containers. */
export interface PodBehavior {
  /** Why its containers do not start. Default: they start. */
  stuck?: 'cannot pull' | { reason: string; message?: string };
  /** When it becomes ready. Default: immediately. */
  ready?: Duration | 'never';
  /**
   * How and when its containers terminate. Default: never; with restartPolicy other than Always, immediately with exit
   * code 0.
   */
  exit?: Exit | 'never';
  /** How long termination takes. Default: no time. */
  terminationDelay?: Duration;
}

interface Exit {
  code: number;
  after: Duration;
  /** The termination message of the container. */
  message?: string;
}

/** A pod's status now, and when it changes by itself. */
interface NextStatus {
  status: PodStatus;
  recheck?: Duration | undefined;
}

const crashBackoff = seconds(10);
const maxBackoff = seconds(300);
/** When the first pulls fail, after the start of the pod; after the last one, the pod stays in back-off. */
const pulls = [seconds(0), seconds(10), seconds(30)];
const pullTakes = seconds(1);

/** The status of a pod that is not terminating. */
export function nextStatus(pod: Pod, behavior: PodBehavior, clock: Clock): NextStatus {
  if (behavior.stuck === 'cannot pull') return pullStatus(pod, clock);
  if (behavior.stuck !== undefined) return { status: waitingStatus(pod, behavior.stuck, clock) };
  const { state, lastState } = pod.status?.containerStatuses?.[0] ?? {};
  if (state?.waiting !== undefined && lastState?.terminated !== undefined) {
    const restarts = restartsOf(pod);
    const rest = Math.min(crashBackoff * 2 ** restarts, maxBackoff);
    const left = Date.parse(lastState.terminated.finishedAt ?? '') + rest - clock.now();
    if (left > 0) return { status: pod.status ?? {}, recheck: milliseconds(left) };
    const running = { running: { startedAt: timestamp(clock) } };
    return { status: withContainers(pod, running, false, clock, { restarts: restarts + 1 }), recheck: now };
  }
  return runningStatus(pod, behavior, clock);
}

function runningStatus(pod: Pod, behavior: PodBehavior, clock: Clock): NextStatus {
  const policy = pod.spec?.restartPolicy ?? 'Always';
  const { ready = now, exit = policy === 'Always' ? 'never' : { code: 0, after: now } } = behavior;
  const startedAt = pod.status?.containerStatuses?.[0]?.state?.running?.startedAt ?? timestamp(clock);
  const age = clock.now() - Date.parse(startedAt);
  if (exit !== 'never' && age >= exit.after) {
    const isRestarted = policy === 'Always' || (policy === 'OnFailure' && exit.code !== 0);
    if (!isRestarted) return { status: endedStatus(pod, exit, clock) };
    const waiting = { waiting: { reason: 'CrashLoopBackOff', message: 'back-off restarting failed container' } };
    return { status: withContainers(pod, waiting, false, clock, { last: terminated(exit, clock) }), recheck: now };
  }
  const isReady = ready !== 'never' && age >= ready;
  const waits = [...(exit === 'never' ? [] : [exit.after]), ...(ready === 'never' || isReady ? [] : [ready])];
  return {
    status: withContainers(pod, { running: { startedAt } }, isReady, clock),
    recheck: waits.length > 0 ? milliseconds(Math.min(...waits) - age) : undefined,
  };
}

/** The status of a pod whose containers have terminated with this exit code. */
export function endedStatus(pod: Pod, exit: Pick<Exit, 'code' | 'message'>, clock: Clock): PodStatus {
  const status = withContainers(pod, { terminated: terminated(exit, clock) }, false, clock);
  return { ...status, phase: exit.code === 0 ? 'Succeeded' : 'Failed' };
}

/** As with the kubelet, the status alternates between a failed pull and the back-off before the next one. */
function pullStatus(pod: Pod, clock: Clock): NextStatus {
  const image = pod.spec?.containers[0]?.image ?? '';
  const age = clock.now() - Date.parse(pod.status?.startTime ?? timestamp(clock));
  const isPulling = pulls.some((at) => age >= at && age < at + pullTakes);
  const stuck = isPulling
    ? { reason: 'ErrImagePull', message: `failed to pull and unpack image "${image}": not found` }
    : { reason: 'ImagePullBackOff', message: `Back-off pulling image "${image}"` };
  const next = pulls.flatMap((at) => [at, at + pullTakes]).find((at) => at > age);
  return {
    status: waitingStatus(pod, stuck, clock),
    recheck: next === undefined ? undefined : milliseconds(next - age),
  };
}

function waitingStatus(pod: Pod, waiting: { reason: string; message?: string }, clock: Clock): PodStatus {
  return { ...withContainers(pod, { waiting }, false, clock), phase: 'Pending' };
}

function terminated({ code, message }: Pick<Exit, 'code' | 'message'>, clock: Clock): ContainerStateTerminated {
  const reason = code === 0 ? 'Completed' : 'Error';
  return { exitCode: code, reason, finishedAt: timestamp(clock), ...(message !== undefined && { message }) };
}

function withContainers(
  pod: Pod,
  state: ContainerState,
  ready: boolean,
  clock: Clock,
  { restarts = restartsOf(pod), last }: { restarts?: number; last?: ContainerStateTerminated } = {},
): PodStatus {
  const time = timestamp(clock);
  const before = pod.status?.containerStatuses?.[0]?.lastState;
  const lastState = last === undefined ? before : { terminated: last };
  let conditions = pod.status?.conditions ?? [];
  for (const [type, holds] of Object.entries({ Initialized: true, ContainersReady: ready, Ready: ready })) {
    conditions = withCondition(conditions, { type, status: holds ? 'True' : 'False', lastTransitionTime: time });
  }
  return {
    ...pod.status,
    phase: 'Running',
    startTime: pod.status?.startTime ?? time,
    conditions,
    containerStatuses: (pod.spec?.containers ?? []).map(({ name, image = '' }) => ({
      name,
      image,
      imageID: image,
      ready,
      started: state.running !== undefined,
      restartCount: restarts,
      state,
      ...(lastState !== undefined && { lastState }),
    })),
  };
}

/** How often the pod's containers were restarted. */
export function restartsOf({ status }: Pod): number {
  return status?.containerStatuses?.[0]?.restartCount ?? 0;
}
