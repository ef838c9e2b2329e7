// SPDX-License-Identifier: Apache-2.0

interface AnyCondition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastTransitionTime?: string;
}

/**
 * The list with this condition set. An unchanged condition stays as it was, unless `refresh` updates its times;
 * lastTransitionTime changes only with the status.
 */
export function withCondition<C extends AnyCondition>(
  conditions: readonly C[] | undefined,
  condition: C,
  { refresh = false }: { refresh?: boolean } = {},
): C[] {
  const others = conditions ?? [];
  const before = conditionOf(others, condition.type);
  if (before === undefined) return [...others, condition];
  const next =
    before.status === condition.status && before.lastTransitionTime !== undefined
      ? { ...condition, lastTransitionTime: before.lastTransitionTime }
      : condition;
  const same = before.status === next.status && before.reason === next.reason && before.message === next.message;
  return others.map((other) => (other === before && (refresh || !same) ? next : other));
}

/** The condition of this type. */
export function conditionOf<C extends AnyCondition>(conditions: readonly C[] | undefined, type: string): C | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** Whether the condition of this type is True. */
export function isTrue(conditions: readonly AnyCondition[] | undefined, type: string): boolean {
  return conditionOf(conditions, type)?.status === 'True';
}
