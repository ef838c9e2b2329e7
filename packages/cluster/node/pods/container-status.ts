// SPDX-License-Identifier: Apache-2.0
import type { Container, ContainerState, ContainerStatus } from '@forge/kube/generated/types.ts';
import { newRecord, wasLost, type ContainerRecord } from './container-record.ts';
import type { PodFacts } from './pod-facts.ts';

/** The status of a container; one that was never started is waiting for `waitingFor`. */
export function containerStatus(container: Container, facts: PodFacts, waitingFor: string): ContainerStatus {
  const record = facts.records.get(container.name) ?? newRecord(container);
  const state = stateOf(record, facts, waitingFor);
  const last = state.terminated ? record.previousExit : (record.exit ?? record.previousExit);
  const containerID = record.running ? containerIdOf(record.running.id) : (state.terminated ?? last)?.containerID;
  return {
    name: record.name,
    image: record.image,
    imageID: record.imageID,
    ready: record.ready,
    started: record.started,
    restartCount: record.restartCount,
    state,
    lastState: last ? { terminated: last } : {},
    ...(containerID !== undefined && { containerID }),
  };
}

/** A container id with the runtime as prefix. */
export function containerIdOf(id: string): string {
  return `forge://${id}`;
}

function stateOf(record: ContainerRecord, { pod, plan, problem }: PodFacts, waitingFor: string): ContainerState {
  if (record.running) return { running: { startedAt: record.running.startedAt } };
  const backOff = plan.backOff.get(record.name);
  if (backOff) {
    const { name, namespace } = pod.metadata;
    const seconds = backOff.delay / 1000;
    const message = `back-off ${seconds}s restarting failed container=${record.name} pod=${name}_${namespace}`;
    return { waiting: { reason: 'CrashLoopBackOff', message } };
  }
  if (record.waiting && !(plan.ending && record.exit)) return { waiting: record.waiting };
  if (record.exit && (plan.ending || !wasLost(record.exit))) return { terminated: record.exit };
  return { waiting: { reason: waitingFor, ...(problem !== undefined && { message: problem }) } };
}
