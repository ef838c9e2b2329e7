// SPDX-License-Identifier: Apache-2.0
import type { ContainerStatus, PodCondition } from '@forge/kube/generated/types.ts';
import type { Phase, PodFacts } from './pod-facts.ts';

/** What the rest of the status says. */
interface PodSummary {
  phase: Phase;
  initialized: boolean;
  initContainerStatuses: readonly ContainerStatus[];
  containerStatuses: readonly ContainerStatus[];
}

interface Verdict {
  status: 'True' | 'False';
  reason?: string;
  message?: string;
}

/** The pod's conditions; one that stays as it was keeps its time, and those of others (eviction, gates) are theirs. */
export function podConditions({ pod, before, address, now }: PodFacts, summary: PodSummary): PodCondition[] {
  const ready = readyVerdict(summary);
  const verdicts: Record<string, Verdict> = {
    PodReadyToStartContainers: { status: address === undefined ? 'False' : 'True' },
    Initialized: initializedVerdict(summary),
    Ready: ready,
    ContainersReady: ready,
    PodScheduled: { status: 'True' },
  };
  const ours = Object.entries(verdicts).map(([type, verdict]) => {
    const known = before?.conditions?.find((condition) => condition.type === type);
    const lastTransitionTime = known?.status === verdict.status ? (known.lastTransitionTime ?? now) : now;
    return { type, ...verdict, lastTransitionTime };
  });
  const theirs = (pod.status?.conditions ?? []).filter(({ type }) => !(type in verdicts));
  return [...ours, ...theirs];
}

function initializedVerdict({ phase, initialized, initContainerStatuses }: PodSummary): Verdict {
  if (initialized) return { status: 'True', ...(phase === 'Succeeded' && { reason: 'PodCompleted' }) };
  const message = `containers with incomplete status: ${unreadyAmong(initContainerStatuses)}`;
  return { status: 'False', reason: 'ContainersNotInitialized', message };
}

function readyVerdict({ phase, containerStatuses }: PodSummary): Verdict {
  if (phase === 'Succeeded') return { status: 'False', reason: 'PodCompleted' };
  if (phase === 'Failed') return { status: 'False', reason: 'PodFailed' };
  if (containerStatuses.every(({ ready }) => ready)) return { status: 'True' };
  const message = `containers with unready status: ${unreadyAmong(containerStatuses)}`;
  return { status: 'False', reason: 'ContainersNotReady', message };
}

function unreadyAmong(statuses: readonly ContainerStatus[]): string {
  const names = statuses.filter(({ ready }) => !ready).map(({ name }) => name);
  return `[${names.join(' ')}]`;
}
