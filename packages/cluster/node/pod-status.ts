// SPDX-License-Identifier: Apache-2.0
import type { PodStatus } from '@forge/kube/generated/types.ts';
import { addresses } from './addresses.ts';
import { containerStatus } from './container-status.ts';
import { podConditions } from './pod-conditions.ts';
import { specOf, type Phase, type PodFacts } from './pod-facts.ts';

/** The status the real kubelet would report. */
export function podStatus(facts: PodFacts): PodStatus {
  const { pod, records, address, before, now } = facts;
  const { initContainers = [], containers } = specOf(pod);
  const initialized = initContainers.every(({ name }) => records.get(name)?.exit?.exitCode === 0);
  const initContainerStatuses = initContainers.map((container) => {
    const status = containerStatus(container, facts, 'PodInitializing');
    return { ...status, ready: status.state?.terminated?.exitCode === 0 };
  });
  const waitingFor = initialized ? 'ContainerCreating' : 'PodInitializing';
  const containerStatuses = containers.map((container) => containerStatus(container, facts, waitingFor));
  const phase = phaseOf(facts, initialized);
  return {
    phase,
    conditions: podConditions(facts, { phase, initialized, initContainerStatuses, containerStatuses }),
    hostIP: addresses.node,
    hostIPs: [{ ip: addresses.node }],
    ...(address !== undefined && { podIP: address, podIPs: [{ ip: address }] }),
    startTime: before?.startTime ?? now,
    ...(initContainerStatuses.length > 0 && { initContainerStatuses }),
    containerStatuses,
  };
}

function phaseOf({ pod, records, plan }: PodFacts, initialized: boolean): Phase {
  if (plan.finished) {
    return [...records.values()].some(({ exit }) => exit?.exitCode !== 0) ? 'Failed' : 'Succeeded';
  }
  const states = specOf(pod).containers.map(({ name }) => records.get(name));
  const running = states.some((record) => record?.running);
  // What has run before and waits for its next start counts as running.
  const allHaveRun = states.every((record) => record?.running ?? record?.exit);
  return initialized && (running || allHaveRun) ? 'Running' : 'Pending';
}
