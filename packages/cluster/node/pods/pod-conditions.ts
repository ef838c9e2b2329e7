// SPDX-License-Identifier: Apache-2.0
import type { PodCondition } from '@forge/kube/generated/types.ts';
import type { Phase, PodFacts } from './pod-facts.ts';

/** The inputs from the rest of the status. */
interface PodSummary {
  phase: Phase;
  /** Init containers that have not completed. */
  incomplete: readonly string[];
  /** Sidecars and containers that are not ready. */
  unready: readonly string[];
}

interface Verdict {
  status: 'True' | 'False';
  reason?: string;
  message?: string;
}

/**
 * The pod's conditions; unchanged ones keep their times, and those of other writers (eviction, gates) are preserved.
 */
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

function initializedVerdict({ phase, incomplete }: PodSummary): Verdict {
  if (incomplete.length === 0) return { status: 'True', ...(phase === 'Succeeded' && { reason: 'PodCompleted' }) };
  const message = `containers with incomplete status: [${incomplete.join(' ')}]`;
  return { status: 'False', reason: 'ContainersNotInitialized', message };
}

function readyVerdict({ phase, unready }: PodSummary): Verdict {
  if (phase === 'Succeeded') return { status: 'False', reason: 'PodCompleted' };
  if (phase === 'Failed') return { status: 'False', reason: 'PodFailed' };
  if (unready.length === 0) return { status: 'True' };
  return {
    status: 'False',
    reason: 'ContainersNotReady',
    message: `containers with unready status: [${unready.join(' ')}]`,
  };
}
