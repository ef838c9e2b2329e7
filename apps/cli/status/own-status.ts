// SPDX-License-Identifier: Apache-2.0
import type { Condition } from '@forge/kube/objects/object.ts';
import type { ConditionCase } from '@forge/runtime/conditions/condition-catalog.ts';
import { readinessOf } from '@forge/runtime/conditions/readiness.ts';
import { conditionCatalogOf, operators, type RegisteredKind } from '../../../operators/operators.ts';
import type { OwnResource } from '../up/demo.ts';
import { stepConditions, type ConditionStatus } from './condition-status.ts';
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

const ownKinds = operators.toReversed().flatMap(({ kinds }) => kinds);

/** Our kinds that are shown with their steps; those that create others come first. */
export const steppedKinds: readonly RegisteredKind[] = ownKinds.filter(({ steps }) => steps !== undefined);

/** Our other kinds that have conditions. */
export const reportedKinds: readonly RegisteredKind[] = ownKinds.filter(
  ({ steps, conditions }) => steps === undefined && conditions !== undefined,
);

/** The state of a resource of one of our operators, in the order of its steps. */
export function ownStatus({ kind, metadata, status }: OwnResource): ResourceStatus {
  const { steps = [] } = ownKinds.find((each) => each.kind.kind === kind) ?? {};
  const catalog = conditionCatalogOf(kind);
  const reported = status?.conditions ?? [];
  const ready = readinessOf(catalog, reported);
  const conditions = stepConditions(steps, reported, catalog.conditions);
  const counted = conditions.filter(({ informational }) => !informational).map(({ state }) => state);
  const { namespace = '', name } = metadata;
  const isReady = ready.status === 'True' && ready.observedGeneration === metadata.generation;
  const terminating = metadata.deletionTimestamp !== undefined;
  const isSettled = isReady && !terminating;
  return {
    kind,
    namespace,
    name,
    state: isSettled ? 'ok' : worstOf(['waiting', readyState(reported, catalog.conditions), ...counted]),
    terminating,
    ready: ready.status,
    message: ready.message,
    conditions,
  };
}

/** The state of Ready itself: when it aggregates the other conditions, they have the cause. */
function readyState(reported: readonly Condition[], cases: readonly ConditionCase[]): State {
  const ready = reported.find(({ type }) => type === 'Ready');
  const isOwn = cases.some(({ type, reason }) => type === 'Ready' && reason === ready?.reason);
  return ready !== undefined && isOwn ? ownUnmetState(ready, cases) : 'waiting';
}
