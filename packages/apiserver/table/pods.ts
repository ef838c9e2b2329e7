// SPDX-License-Identifier: Apache-2.0
import type { ContainerStatus } from '@forge/kube/generated/types.ts';
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import { ageColumn, column, nameColumn, wideColumn, type TableColumn, age } from '../resources/table-column.ts';

/** The columns of `kubectl get pods`. */
export const podColumns: readonly TableColumn<Pod>[] = [
  nameColumn,
  column('Ready', (pod) => `${readyOf(pod)}/${(pod.spec?.containers ?? []).length + sidecarsOf(pod).size}`),
  column('Status', podStatus),
  column('Restarts', restartsOf),
  ageColumn,
  wideColumn('IP', ({ status }) => orNone(status?.podIPs?.[0]?.ip ?? status?.podIP)),
  wideColumn('Node', ({ spec }) => orNone(spec?.nodeName)),
  wideColumn('Nominated Node', ({ status }) => orNone(status?.nominatedNodeName)),
  wideColumn('Readiness Gates', readinessOf),
];

/** The status of a pod: its phase, or why its containers are not running. */
function podStatus(pod: Pod): string {
  const { metadata, status } = pod;
  const phase = status?.phase ?? '';
  if (metadata.deletionTimestamp !== undefined && status?.reason === 'NodeLost') return 'Unknown';
  if (metadata.deletionTimestamp !== undefined && phase !== 'Succeeded' && phase !== 'Failed') return 'Terminating';
  const gated = status?.conditions?.some(({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated');
  const start = gated === true ? 'SchedulingGated' : (status?.reason ?? phase);
  const initializing = initializationOf(pod);
  return initializing !== undefined && !isTrue(pod, 'Initialized') ? initializing : containersStatus(pod, start);
}

/** The current or failed init container; undefined when all have completed. */
function initializationOf(pod: Pod): string | undefined {
  const sidecars = sidecarsOf(pod);
  const statuses = pod.status?.initContainerStatuses ?? [];
  const index = statuses.findIndex(({ name, state, started }) => {
    return state?.terminated?.exitCode !== 0 && !(sidecars.has(name) && started === true);
  });
  const stuck = statuses[index];
  if (stuck === undefined) return undefined;
  const { terminated, waiting } = stuck.state ?? {};
  if (terminated !== undefined) return `Init:${endOf(terminated)}`;
  const reason = waiting?.reason ?? '';
  if (reason !== '' && reason !== 'PodInitializing') return `Init:${reason}`;
  return `Init:${index}/${(pod.spec?.initContainers ?? []).length}`;
}

function containersStatus(pod: Pod, start: string): string {
  let word = start;
  let failure: string | undefined;
  let running = false;
  for (const { state, ready } of (pod.status?.containerStatuses ?? []).toReversed()) {
    const waiting = state?.waiting?.reason ?? '';
    if (waiting !== '') word = waiting;
    else if (state?.terminated !== undefined) {
      word = endOf(state.terminated);
      if (state.terminated.exitCode !== 0) failure = word;
    } else if (ready && state?.running !== undefined) running = true;
  }
  if (word !== 'Completed') return word;
  if (running && isTrue(pod, 'Ready')) return 'Running';
  return failure ?? (running ? 'NotReady' : word);
}

function endOf({ reason = '', signal = 0, exitCode }: { reason?: string; signal?: number; exitCode: number }): string {
  if (reason !== '') return reason;
  return signal === 0 ? `ExitCode:${exitCode}` : `Signal:${signal}`;
}

/** The sidecar containers. */
function sidecarsOf({ spec }: Pod): ReadonlySet<string> {
  const sidecars = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  return new Set(sidecars.map(({ name }) => name));
}

function readyOf(pod: Pod): number {
  const sidecars = sidecarsOf(pod);
  const beside = (pod.status?.initContainerStatuses ?? []).filter(
    ({ name, started }) => sidecars.has(name) && started === true,
  );
  const main = (pod.status?.containerStatuses ?? []).filter(({ state }) => state?.running !== undefined);
  return [...beside, ...main].filter(({ ready }) => ready).length;
}

function restartsOf(pod: Pod, now: number): string {
  const sidecars = sidecarsOf(pod);
  const before = pod.status?.initContainerStatuses ?? [];
  const initializing = initializationOf(pod) !== undefined && !isTrue(pod, 'Initialized');
  const counted = initializing
    ? before
    : [...before.filter(({ name }) => sidecars.has(name)), ...(pod.status?.containerStatuses ?? [])];
  const count = counted.reduce((sum, { restartCount }) => sum + restartCount, 0);
  const last = counted
    .map(lastEnd)
    .filter((end) => end !== '')
    .toSorted()
    .at(-1);
  return count === 0 || last === undefined ? String(count) : `${count} (${age(last, now)} ago)`;
}

function lastEnd({ lastState }: ContainerStatus): string {
  return lastState?.terminated?.finishedAt ?? '';
}

function readinessOf({ spec, status }: Pod): string {
  const gates = spec?.readinessGates ?? [];
  if (gates.length === 0) return '<none>';
  const open = gates.filter(
    ({ conditionType }) => status?.conditions?.find(({ type }) => type === conditionType)?.status === 'True',
  );
  return `${open.length}/${gates.length}`;
}

function isTrue({ status }: Pod, condition: string): boolean {
  return status?.conditions?.some(({ type, status: value }) => type === condition && value === 'True') === true;
}

function orNone(value: string | undefined): string {
  return value === undefined || value === '' ? '<none>' : value;
}
