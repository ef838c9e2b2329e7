// SPDX-License-Identifier: Apache-2.0
import type { Condition } from '@forge/kube/objects/object.ts';
import { defaultReady, type ConditionCatalog, type ConditionType } from './condition-catalog.ts';

/** A condition that readiness depends on; undefined while it is not reported. */
export interface CountedCondition {
  readonly desired: 'True' | 'False';
  readonly condition: Pick<Condition, 'status' | 'observedGeneration'> | undefined;
}

/** A condition that keeps a resource from being ready. */
type UnmetCondition = Pick<Condition, 'type' | 'reason' | 'message'>;

/** Whether a resource is ready. */
export interface Readiness extends Pick<Condition, 'status' | 'message'> {
  /** The oldest generation of the resource that it applies to; undefined when nothing is reported. */
  readonly observedGeneration: number | undefined;
  /** The conditions that keep it from being ready. */
  readonly unmet: readonly UnmetCondition[];
}

/**
 * Whether a resource is ready, by its conditions: as its Ready says or, where its kind has none, when all conditions that
 * count are as desired. Conditions that are not in the catalog do not count.
 */
export function readinessOf(catalog: ConditionCatalog, reported: readonly Condition[] = []): Readiness {
  const counted = conditionTypes(catalog)
    .filter(({ informational }) => informational !== true)
    .map((each) => ({
      type: each.type,
      desired: desiredStatus(each),
      condition: reported.find(({ type }) => type === each.type),
      isRequired: catalog.ready === 'none' || each.type === 'Ready',
    }));
  const unmet = counted
    .filter(({ condition, desired, isRequired }) => (condition ? condition.status !== desired : isRequired))
    .map(({ type, condition }) => condition ?? { type, reason: 'NotReported', message: '' });
  return { ...overall(catalog, counted), unmet };
}

function overall(
  { ready }: ConditionCatalog,
  counted: readonly (CountedCondition & { type: string; condition: Condition | undefined })[],
): Omit<Readiness, 'unmet'> {
  const none = { status: 'Unknown', message: '', observedGeneration: undefined } as const;
  if (ready !== 'none') {
    const { status, message, observedGeneration } = counted.find(({ type }) => type === 'Ready')?.condition ?? none;
    return { status, message, observedGeneration };
  }
  if (counted.every(({ condition }) => condition === undefined)) return none;
  const { status, observedGeneration } = aggregate(counted);
  const { message } = status === 'True' ? defaultReady.allReady : defaultReady.notAllReady;
  return { status, message, observedGeneration };
}

/**
 * The state of several conditions together: True when all are as desired, False when one is the contrary, otherwise Unknown;
 * for the oldest generation that they apply to.
 */
export function aggregate(counted: readonly CountedCondition[]): {
  status: Condition['status'];
  observedGeneration: number;
} {
  const isMet = counted.every(({ desired, condition }) => condition?.status === desired);
  const isUnknown = counted.every(({ desired, condition: { status } = { status: 'Unknown' } }) =>
    [desired, 'Unknown'].includes(status),
  );
  return {
    status: isMet ? 'True' : isUnknown ? 'Unknown' : 'False',
    observedGeneration: Math.min(...counted.map(({ condition }) => condition?.observedGeneration ?? 0)),
  };
}

/** Whether a condition of the resource is as desired, by the catalog; one that is not in it should be True. */
export function isDesired(catalog: ConditionCatalog, { type, status }: Pick<Condition, 'type' | 'status'>): boolean {
  return status === desiredStatus(conditionTypes(catalog).find((each) => each.type === type) ?? {});
}

/** The status that a condition should have. */
export function desiredStatus({ inverse }: Pick<ConditionType, 'inverse'>): 'True' | 'False' {
  return inverse === true ? 'False' : 'True';
}

/** The types of the conditions in a catalog, each once; Ready last. */
export function conditionTypes({ conditions, ready }: ConditionCatalog): ConditionType[] {
  const own = conditions.filter(({ type }) => type !== 'Ready');
  const all: ConditionType[] = [...own, ...(ready === 'none' ? [] : [{ type: 'Ready' }])];
  return [...new Map(all.map((each) => [each.type, each])).values()].filter(({ type }) => type !== '*');
}
