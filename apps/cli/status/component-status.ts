// SPDX-License-Identifier: Apache-2.0
import type { Deployment, Node } from '@forge/kube/kinds/builtin.ts';
import { conditionOf } from '@forge/runtime/objects/condition.ts';
import type { State } from './state.ts';

/** The state of a component or node, with details. */
export interface ComponentStatus {
  name: string;
  state: State;
  detail: string;
}

/** An operator is ok when all its pods are ready. */
export function operatorStatus({ metadata, spec, status }: Deployment): ComponentStatus {
  const [ready, wanted] = [status?.readyReplicas ?? 0, spec?.replicas ?? 1];
  const image = spec?.template.spec?.containers[0]?.image ?? '';
  const stuck = (status?.conditions ?? []).some(
    ({ type, status: is }) =>
      (type === 'Progressing' && is === 'False') || (type === 'ReplicaFailure' && is === 'True'),
  );
  const state = ready >= wanted ? 'ok' : stuck ? 'failed' : 'waiting';
  return { name: metadata.name, state, detail: `${ready} of ${wanted} pods ready, image ${image}` };
}

/** A node is ok when it reports that it is ready; one that is no longer ready has failed. */
export function nodeStatus(node: Node): ComponentStatus {
  const ready = conditionOf(node, 'Ready');
  const state = ready?.status === 'True' ? 'ok' : ready === undefined ? 'waiting' : 'failed';
  return { name: node.metadata.name, state, detail: ready?.message ?? 'has not reported yet' };
}
