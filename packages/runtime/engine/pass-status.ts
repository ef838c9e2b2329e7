// SPDX-License-Identifier: Apache-2.0
import { isDeepStrictEqual } from 'node:util';
import { isApiError } from '@forge/kube/errors/api-error.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { refOf, type Condition } from '@forge/kube/objects/object.ts';
import type { ReadyTexts } from '../conditions/condition-catalog.ts';
import type { ReconcileContext } from '../controller/controller.ts';
import { timestamp } from '../environment/clock.ts';
import { StepBug } from '../steps/step-bug.ts';
import type { StepResource } from '../steps/step.ts';
import { nextConditions, conditionUpdates, type ConditionSource, type ConditionUpdate } from './conditions.ts';
import { recheckOfResult } from './requeue.ts';
import { isOutcome, type StepResult } from './run-steps.ts';

/** A step as far as the status is concerned. */
export interface StatusWriter extends ConditionSource {
  readonly name: string;
  readonly finalizer?: string;
}

/** The condition updates of a pass, and the resulting status. */
export interface PassStatus<N> {
  readonly updates: readonly ConditionUpdate<N>[];
  readonly before: readonly Condition[];
  readonly status: object & { readonly conditions: readonly Condition[] };
  readonly ready: ReadyTexts;
}

/** What the status is computed from. */
interface StatusInput<T extends StepResource, N> {
  readonly kind: Kind<T>;
  /** The object at the start of the pass, and its latest state. */
  readonly object: T;
  readonly latest: T;
  readonly results: ReadonlyMap<N, StepResult>;
  /** All steps whose conditions Ready aggregates. */
  readonly sources: readonly N[];
  readonly ready: ReadyTexts;
}

/** The status that results from the steps, based on the latest state. */
export function passStatus<T extends StepResource, N extends StatusWriter>(
  { kind, object, latest, results, sources, ready }: StatusInput<T, N>,
  { clock }: Pick<ReconcileContext, 'clock'>,
): PassStatus<N> {
  const before = latest.status?.conditions ?? [];
  const updates = conditionUpdates(results).filter(({ step }) => !hasFinished(step, results.get(step)));
  const { generation = 0 } = object.metadata;
  const time = timestamp(clock);
  const conditions = nextConditions({ steps: sources, before, updates, generation, time, ready });
  const fields = fieldsOf(results);
  // Deletion increases the generation, which alone is not worth a write.
  const isRelevant = object.metadata.deletionTimestamp === undefined || updates.length > 0;
  const observed = isRelevant && hasObservedGeneration(kind) ? { observedGeneration: generation } : {};
  return { updates, before, ready, status: { ...merged(latest.status ?? {}, fields), ...observed, conditions } };
}

/** Writes the status if it changed, and notifies the observer of its conditions. */
export async function saveStatus<T extends StepResource, N extends StatusWriter>(
  kind: Kind<T>,
  latest: T,
  { updates, status, ready }: PassStatus<N>,
  results: ReadonlyMap<N, StepResult>,
  { client, observer, signal }: ReconcileContext,
): Promise<void> {
  if (!isDeepStrictEqual(status, latest.status)) {
    try {
      await client.update(kind, { ...latest, status }, { subresource: 'status', signal });
    } catch (error) {
      // The resource has been deleted: nothing to save.
      if (isApiError(error, 'NotFound')) return;
      throw error;
    }
  }
  if (observer === undefined) return;
  const isCheckpoint = [...results.values()].some(({ outcome }) => outcome === 'checkpoint');
  for (const { type, status: value, reason, message } of status.conditions) {
    const update = updates.find((item) => item.type === type);
    // A checkpoint does not change a Ready that a step sets; a Ready of a kind without one is not ours.
    if (update === undefined && (type !== 'Ready' || isCheckpoint || ready === 'none')) continue;
    const result = update && results.get(update.step);
    // The pass that follows says it, too, and when it is rechecked.
    if (result?.outcome === 'checkpoint') continue;
    const own = update?.step.condition?.type ?? type;
    const recheck = own === type && result !== undefined ? recheckOfResult(result) : undefined;
    observer.condition({ type, status: value, reason, message, ...(recheck !== undefined && { recheck }) });
  }
}

/** The cached resource; undefined when it was replaced or its deletion has begun since the pass started. */
export function latestOf<T extends StepResource>(kind: Kind<T>, object: T, { cache }: ReconcileContext): T | undefined {
  const latest = cache.get(kind, refOf(object));
  const { uid, deletionTimestamp } = object.metadata;
  // Outcomes of ordinary steps do not apply to a terminating resource.
  const isSame = latest?.metadata.uid === uid && latest?.metadata.deletionTimestamp === deletionTimestamp;
  return isSame ? latest : undefined;
}

/** Whether the step's finalizer can be removed; its condition then no longer matters. */
export function hasFinished(step: { readonly finalizer?: string }, result: StepResult | undefined): boolean {
  return step.finalizer !== undefined && result?.outcome === 'ready';
}

/** The status fields that the steps set; throws when two steps set the same field. */
function fieldsOf(results: ReadonlyMap<StatusWriter, StepResult>): Map<string, unknown> {
  const writers = new Map<string, string>();
  const fields = new Map<string, unknown>();
  for (const [{ name }, result] of results) {
    if (!isOutcome(result)) continue;
    for (const [field, value] of Object.entries(result.status ?? {})) {
      const other = writers.get(field);
      if (other !== undefined) throw new StepBug(`steps ${other} and ${name} both set status.${field} in one pass`);
      writers.set(field, name);
      fields.set(field, value);
    }
  }
  return fields;
}

/** The status with the fields that the steps set, without those they removed. */
function merged(status: object, fields: ReadonlyMap<string, unknown>): object {
  const all = new Map<string, unknown>([...Object.entries(status), ...fields]);
  return Object.fromEntries([...all].filter(([, value]) => value !== undefined));
}

function hasObservedGeneration({ schema }: Kind): boolean {
  return schema.properties?.['status']?.properties?.['observedGeneration'] !== undefined;
}
