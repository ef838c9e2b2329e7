// SPDX-License-Identifier: Apache-2.0
import type { ContainerStatus } from '@forge/kube/generated/types.ts';
import type { Pod } from '@forge/kube/kinds/builtin.ts';

/** The state of a pod in one line. */
export interface PodStatus {
  namespace: string;
  name: string;
  /** Ready containers of all. */
  ready: string;
  phase: string;
  restarts: number;
  /** What keeps it from running; empty when nothing does. */
  waitsFor: string;
}

/** The state of a pod, and what it waits for: a node, an image, a missing object, the end of a back-off. */
export function podStatus({ metadata, spec, status }: Pod): PodStatus {
  const containers = status?.containerStatuses ?? [];
  const { namespace = '', name } = metadata;
  return {
    namespace,
    name,
    ready: `${containers.filter(({ ready }) => ready).length}/${spec?.containers.length ?? 0}`,
    phase: metadata.deletionTimestamp === undefined ? (status?.phase ?? 'Pending') : 'Terminating',
    restarts: containers.reduce((sum, { restartCount }) => sum + restartCount, 0),
    waitsFor: waitsFor({ metadata, status } as Pod),
  };
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
