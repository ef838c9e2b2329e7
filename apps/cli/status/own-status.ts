// SPDX-License-Identifier: Apache-2.0
import { controlPlaneContract } from '@forge/controlplane/contract.ts';
import { ControlPlane } from '@forge/controlplane/control-plane.ts';
import { controlPlaneSteps } from '@forge/controlplane/reconcile.ts';
import { contract as keystoneContract } from '@forge/keystone/contract.ts';
import { Keystone } from '@forge/keystone/keystone.ts';
import { keystoneSteps } from '@forge/keystone/reconcile.ts';
import type { Condition } from '@forge/kube/objects/object.ts';
import type { ConditionRow } from '@forge/runtime/contract/contract.ts';
import type { OwnResource } from '../up/demo.ts';
import { stepConditions, type ConditionStatus, type StepNode } from './condition-status.ts';
import { ownUnmetState, worstOf, type State } from './state.ts';

/** A ControlPlane or Keystone, or a resource of another operator that they use. */
export interface ResourceStatus {
  kind: string;
  namespace: string;
  name: string;
  state: State;
  /** Whether it is being deleted. */
  terminating: boolean;
  ready: string;
  message: string;
  conditions: readonly ConditionStatus[];
}

/** What the status needs to know of a kind of ours. */
interface OwnKind {
  steps: readonly StepNode[];
  rows: readonly ConditionRow[];
}

const ownKinds: Readonly<Record<string, OwnKind>> = {
  [ControlPlane.kind]: { steps: controlPlaneSteps, rows: controlPlaneContract.conditions },
  [Keystone.kind]: { steps: keystoneSteps, rows: keystoneContract.conditions },
};

/** The state of a resource of one of our operators, in the order of its steps. */
export function ownStatus({ kind, metadata, status }: OwnResource): ResourceStatus {
  const { steps, rows } = ownKinds[kind] ?? { steps: [], rows: [] };
  const reported = status?.conditions ?? [];
  const ready = reported.find(({ type }) => type === 'Ready');
  const conditions = stepConditions(steps, reported, rows);
  const { namespace = '', name } = metadata;
  const isReady = ready?.status === 'True' && ready.observedGeneration === metadata.generation;
  const terminating = metadata.deletionTimestamp !== undefined;
  const isSettled = isReady && !terminating;
  return {
    kind,
    namespace,
    name,
    state: isSettled ? 'ok' : worstOf(['waiting', readyState(ready, rows), ...conditions.map(({ state }) => state)]),
    terminating,
    ready: ready?.status ?? 'Unknown',
    message: ready?.message ?? '',
    conditions,
  };
}

/** The state that Ready has by itself: where it aggregates the other conditions, they say what is wrong. */
function readyState(ready: Condition | undefined, rows: readonly ConditionRow[]): State {
  const isOwn = rows.some(({ type, reason }) => type === 'Ready' && reason === ready?.reason);
  return ready !== undefined && isOwn ? ownUnmetState(ready, rows) : 'waiting';
}
