// SPDX-License-Identifier: Apache-2.0
import type { ContainerStatus } from '@forge/kube/generated/types.ts';
import type { Job, Pod } from '@forge/kube/kinds/builtin.ts';
import type { State } from './state.ts';

/** The state of a pod in one line. */
export interface PodStatus {
  namespace: string;
  name: string;
  state: State;
  /** Ready and total containers, as `1/2`. */
  ready: string;
  phase: string;
  restarts: number;
  /** What it waits for; empty when nothing. */
  waitsFor: string;
}

/** The state of a pod, and what it waits for: a node, an image, a missing object, the end of a back-off. */
export function podStatus(pod: Pod, jobs: readonly Job[] = []): PodStatus {
  const { metadata, spec, status } = pod;
  const containers = status?.containerStatuses ?? [];
  const { namespace = '', name } = metadata;
  return {
    namespace,
    name,
    state: stateOf(pod, jobs),
    ready: `${containers.filter(({ ready }) => ready).length}/${spec?.containers.length ?? 0}`,
    phase: metadata.deletionTimestamp === undefined ? (status?.phase ?? 'Pending') : 'Terminating',
    restarts: containers.reduce((sum, { restartCount }) => sum + restartCount, 0),
    waitsFor: waitsFor(pod),
  };
}

/** Reasons of containers that have not failed. */
const starting: ReadonlySet<string> = new Set(['ContainerCreating', 'PodInitializing']);

/** A failed pod of a Job that has succeeded since is ok. */
function stateOf({ metadata, status = {} }: Pod, jobs: readonly Job[]): State {
  const { phase = 'Pending', conditions = [], containerStatuses = [], initContainerStatuses = [] } = status;
  const is = (type: string, value: string) => conditions.some((each) => each.type === type && each.status === value);
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
  const job = jobs.find((each) => each.metadata.uid === owner?.uid);
  const hasSucceeded = job?.status?.conditions?.some((each) => each.type === 'Complete' && each.status === 'True');
  if (phase === 'Succeeded' || hasSucceeded === true) return 'ok';
  if (phase === 'Failed') return 'failed';
  if (metadata.deletionTimestamp !== undefined) return 'waiting';
  const reasons = [...initContainerStatuses, ...containerStatuses].map(({ state }) => state?.waiting?.reason);
  if (is('PodScheduled', 'False') || reasons.some((reason) => reason !== undefined && !starting.has(reason))) {
    return 'failed';
  }
  return is('Ready', 'True') ? 'ok' : 'waiting';
}

function waitsFor({ status }: Pod): string {
  const unscheduled = status?.conditions?.find(({ type, status: is }) => type === 'PodScheduled' && is === 'False');
  if (unscheduled !== undefined) return `a node: ${unscheduled.message ?? unscheduled.reason ?? ''}`;
  const all = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  return all.flatMap(waitingText).join('; ');
}

function waitingText({ name, state }: ContainerStatus): string[] {
  const { reason, message } = state?.waiting ?? {};
  if (reason === undefined || reason === 'PodInitializing') return [];
  return [`container ${name}: ${reason}${message === undefined ? '' : `: ${message}`}`];
}
