// SPDX-License-Identifier: Apache-2.0
import type { PodStatus } from '@forge/kube/generated/types.ts';
import { specOf } from '../../objects/pod-spec.ts';
import { addresses } from '../network/addresses.ts';
import { containerStatus } from './container-status.ts';
import { podConditions } from './pod-conditions.ts';
import type { Phase, PodFacts } from './pod-facts.ts';
import { isInitialized, isSidecar } from './pod-plan.ts';

/** The status that the kubelet would report. */
export function podStatus(facts: PodFacts): PodStatus {
  const { pod, records, plan, address, before, now } = facts;
  const { initContainers = [], containers, ephemeralContainers = [] } = specOf(pod);
  const incomplete = initContainers.filter((each) => !isInitialized(each, records.get(each.name)));
  // Sidecars may restart once a container has run.
  const hasStarted = containers.some(
    ({ name }) => records.get(name)?.running ?? (plan.ending && records.get(name)?.exit),
  );
  const initialized = incomplete.length === 0 || hasStarted;
  const initContainerStatuses = initContainers.map((container) => {
    const status = containerStatus(container, facts, 'PodInitializing');
    return isSidecar(container) ? status : { ...status, ready: status.state?.terminated?.exitCode === 0 };
  });
  const waitingFor = initialized ? 'ContainerCreating' : 'PodInitializing';
  const containerStatuses = containers.map((container) => containerStatus(container, facts, waitingFor));
  const ephemeralContainerStatuses = ephemeralContainers.map((each) =>
    containerStatus(each, facts, 'ContainerCreating'),
  );
  const phase = phaseOf(facts, initialized);
  const sidecarStatuses = initContainerStatuses.filter((_, index) => isSidecar(initContainers[index]!));
  return {
    phase,
    ...(facts.evicted !== undefined && plan.finished && { reason: 'Evicted', message: facts.evicted }),
    conditions: podConditions(facts, {
      phase,
      incomplete: initialized ? [] : incomplete.map(({ name }) => name),
      unready: [...sidecarStatuses, ...containerStatuses].filter(({ ready }) => !ready).map(({ name }) => name),
    }),
    hostIP: addresses.node,
    hostIPs: [{ ip: addresses.node }],
    ...(address !== undefined && { podIP: address, podIPs: [{ ip: address }] }),
    startTime: before?.startTime ?? now,
    ...(initContainerStatuses.length > 0 && { initContainerStatuses }),
    containerStatuses,
    ...(ephemeralContainerStatuses.length > 0 && { ephemeralContainerStatuses }),
  };
}

function phaseOf({ pod, records, plan, evicted }: PodFacts, initialized: boolean): Phase {
  const { initContainers = [], containers } = specOf(pod);
  if (plan.finished && evicted !== undefined) return 'Failed';
  if (plan.finished) {
    const counted = [...initContainers.filter((each) => !isSidecar(each)), ...containers];
    return counted.some(({ name }) => records.get(name)?.exit?.exitCode !== 0) ? 'Failed' : 'Succeeded';
  }
  const states = containers.map(({ name }) => records.get(name));
  // A container that waits for its restart is treated as running.
  return initialized && states.every((record) => record?.running ?? record?.exit) ? 'Running' : 'Pending';
}
