// SPDX-License-Identifier: Apache-2.0
import type { ClusterStatus } from './cluster-status.ts';
import type { ResourceStatus } from './own-status.ts';
import { worstOf, type State } from './state.ts';

/** An object that is not ok, and why. */
interface Finding {
  of: string;
  why: string;
}

/** The findings of a status; the state of the cluster is the worst of all. */
export interface Summary {
  state: State;
  failed: readonly Finding[];
  waiting: readonly Finding[];
}

/** What has failed and what waits, in the order in which the status lists it. */
export function summaryOf(
  status: Pick<ClusterStatus, 'components' | 'nodes' | 'pods' | 'resources' | 'keyBackups'>,
): Summary {
  const all: readonly (Finding & { state: State })[] = [
    ...status.components.map(({ name, state, detail }) => ({ of: name, why: detail, state })),
    ...status.nodes.map(({ name, state, detail }) => ({ of: `Node ${name}`, why: detail, state })),
    ...status.resources.map((resource) => ({
      of: `${resource.kind} ${refOf(resource)}`,
      why: causeOf(resource),
      state: resource.state,
    })),
    ...status.keyBackups.map((backup) => ({
      of: `PushSecret ${refOf(backup)}`,
      why: backup.detail,
      state: backup.state,
    })),
    ...status.pods.map((pod) => ({
      of: `Pod ${refOf(pod)}`,
      why: pod.waitsFor || `${pod.phase}, ${pod.ready} containers ready`,
      state: pod.state,
    })),
  ];
  const those = (wanted: State) => all.filter(({ state }) => state === wanted).map(({ of, why }) => ({ of, why }));
  return { state: worstOf(all.map(({ state }) => state)), failed: those('failed'), waiting: those('waiting') };
}

/** A namespaced object as kubectl names it in a list of all namespaces. */
export function refOf({ namespace, name }: { namespace: string; name: string }): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}

/** The root cause: a condition that has the state of the resource and does not wait for another one. */
export function causeOf({ state, message, conditions, terminating }: ResourceStatus): string {
  const causes = conditions.filter((each) => each.state === state && each.waitsFor.length === 0);
  const cause = causes.find(({ type, reason, informational }) => type !== 'Ready' && reason !== '' && !informational);
  const text = cause && `${cause.type} ${[cause.reason, cause.message].filter(Boolean).join(': ')}`;
  if (terminating) return ['is being deleted', ...(text === undefined ? [] : [text])].join('; ');
  return text ?? (message || 'not reconciled yet');
}
