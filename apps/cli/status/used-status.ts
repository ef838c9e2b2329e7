// SPDX-License-Identifier: Apache-2.0
import { kindsOf, localStandIns } from '@forge/cluster/stand-ins/register/stand-ins.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { Condition, KubeObject } from '@forge/kube/objects/object.ts';
import { PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import type { ConditionCatalog } from '@forge/runtime/conditions/condition-catalog.ts';
import { conditionStatuses, type ConditionStatus } from './condition-status.ts';
import { reportedKinds, type ResourceStatus } from './own-status.ts';
import { ownUnmetState, worstOf } from './state.ts';

/** Kinds of other operators that ours use, and our kinds without steps to show; PushSecrets are listed separately. */
export const usedKinds: readonly Kind[] = [
  ...localStandIns.flatMap(kindsOf).filter((kind) => kind !== PushSecret),
  ...reportedKinds.map(({ kind }) => kind),
];

/** The state of such a resource. K-ORC has Available instead of Ready. */
export function usedStatus({ kind }: Kind, object: KubeObject): ResourceStatus {
  const { metadata, status } = object as KubeObject & { status?: { conditions?: readonly Condition[] } };
  const reported = conditionStatuses(status?.conditions ?? []);
  const own = reportedKinds.find((each) => each.kind.kind === kind)?.conditions;
  const conditions = own === undefined ? reported : reported.map((each) => ownCondition(each, own));
  const ready = conditions.find(({ type }) => type === 'Ready' || type === 'Available');
  const { namespace = '', name } = metadata;
  const terminating = metadata.deletionTimestamp !== undefined;
  const isSettled = ready?.state === 'ok' && !terminating;
  return {
    kind,
    namespace,
    name,
    state: isSettled ? 'ok' : worstOf(['waiting', ...conditions.map(({ state }) => state)]),
    terminating,
    ready: ready?.status ?? 'Unknown',
    message: ready?.message ?? '',
    conditions,
  };
}

/** Our operators declare the reasons that they recheck. */
function ownCondition(condition: ConditionStatus, { conditions }: ConditionCatalog): ConditionStatus {
  if (condition.state === 'ok') return condition;
  const { type, reason } = condition;
  return { ...condition, state: ownUnmetState({ type, reason }, conditions) };
}
