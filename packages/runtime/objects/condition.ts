// SPDX-License-Identifier: Apache-2.0

/** An object with conditions, whatever else these carry. */
interface WithConditions<C> {
  status?: { conditions?: readonly C[] };
}

interface AnyCondition {
  readonly type: string;
  readonly status: string;
}

/** The condition of this type. */
export function conditionOf<C extends AnyCondition>(
  object: WithConditions<C> | undefined,
  type: string,
): C | undefined {
  return object?.status?.conditions?.find((condition) => condition.type === type);
}

/** Whether the condition of this type is True. */
export function isTrue(object: WithConditions<AnyCondition> | undefined, type: string): boolean {
  return conditionOf(object, type)?.status === 'True';
}
