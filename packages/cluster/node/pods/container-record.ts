// SPDX-License-Identifier: Apache-2.0
import type { Container, ContainerStateTerminated, ContainerStatus } from '@forge/kube/generated/types.ts';
import type { Pod } from '@forge/kube/kinds/builtin.ts';

/** The exit of a container. */
export type ContainerExit = ContainerStateTerminated;

/** The state of one container of a pod; immutable. */
export interface ContainerRecord {
  readonly name: string;
  readonly image: string;
  readonly imageID: string;
  readonly running?: { readonly id: string; readonly startedAt: string };
  /** Its last exit, if any. */
  readonly exit?: ContainerExit;
  /** The exit before that. */
  readonly previousExit?: ContainerExit;
  /** Why it is not started. */
  readonly waiting?: { readonly reason: string; readonly message?: string };
  readonly restartCount: number;
  /** Exits in a crash loop: each doubles the backoff. */
  readonly crashes: number;
  /** Its startup probe has succeeded, or it has none. */
  readonly started: boolean;
  readonly ready: boolean;
}

/** A container that ran this long is not in a crash loop, in milliseconds. */
const crashLoopReset = 600_000;

/** The record of a container that was never started. */
export function newRecord({ name, image = '' }: Container): ContainerRecord {
  return { name, image, imageID: '', restartCount: 0, crashes: 0, started: false, ready: false };
}

/** The record after a start. */
export function afterStart(record: ContainerRecord, id: string, imageID: string, startedAt: string): ContainerRecord {
  const { waiting: _, ...rest } = record;
  return {
    ...rest,
    imageID,
    running: { id, startedAt },
    restartCount: nextAttempt(record),
    started: false,
    ready: false,
  };
}

/** The restart count of the next start. */
export function nextAttempt({ exit, previousExit, restartCount }: ContainerRecord): number {
  return exit === undefined && previousExit === undefined ? restartCount : restartCount + 1;
}

/** The record after an exit. */
export function afterExit(record: ContainerRecord, exit: ContainerExit): ContainerRecord {
  const { running: _, exit: previousExit, ...rest } = record;
  const runTime = Date.parse(exit.finishedAt ?? '') - Date.parse(exit.startedAt ?? '');
  return {
    ...rest,
    exit,
    ...(previousExit && { previousExit }),
    crashes: runTime >= crashLoopReset ? 0 : record.crashes + 1,
    started: false,
    ready: false,
  };
}

/** The records of a pod's containers: new, or restored from its status after a restart of the node. */
export function recordsOf({ status, spec }: Pod): Map<string, ContainerRecord> {
  const { initContainerStatuses = [], containerStatuses = [], ephemeralContainerStatuses = [] } = status ?? {};
  const statuses = [...initContainerStatuses, ...containerStatuses, ...ephemeralContainerStatuses];
  const known = new Map(statuses.map((one) => [one.name, one]));
  const record = (container: Container, init: boolean): [string, ContainerRecord] => {
    const before = known.get(container.name);
    return [container.name, before ? recordFrom(before, container, init) : newRecord(container)];
  };
  return new Map([
    ...(spec?.initContainers ?? []).map((container) => record(container, true)),
    ...[...(spec?.containers ?? []), ...(spec?.ephemeralContainers ?? [])].map((container) => record(container, false)),
  ]);
}

const lostReason = 'ContainerStatusUnknown';

/** Whether a container was lost when the node was restarted; it will be started again. */
export function wasLost({ reason }: ContainerExit): boolean {
  return reason === lostReason;
}

/** The record of a container from before a restart of the node: it is not running, whatever its status. */
function recordFrom(status: ContainerStatus, container: Container, init: boolean): ContainerRecord {
  const { state, lastState, restartCount, imageID, containerID } = status;
  const exit = state?.running
    ? {
        exitCode: 137,
        reason: lostReason,
        message: 'The container could not be located after the node was restarted',
        ...(state.running.startedAt !== undefined && { startedAt: state.running.startedAt }),
        ...(containerID !== undefined && { containerID }),
      }
    : (state?.terminated ?? lastState?.terminated);
  // The network and volumes that an init container prepared no longer exist, so it runs again.
  return { ...newRecord(container), imageID, restartCount, ...(exit && { [init ? 'previousExit' : 'exit']: exit }) };
}
