// SPDX-License-Identifier: Apache-2.0
import { isDeepStrictEqual } from 'node:util';
import { isApiError } from '@forge/kube/errors/api-error.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { refOf, type Condition } from '@forge/kube/objects/object.ts';
import type { ReadyTexts } from '../contract/contract.ts';
import type { ReconcileContext } from '../controller/controller.ts';
import { recheckOf } from '../steps/outcome.ts';
import { StepBug } from '../steps/step-bug.ts';
import type { StepResource } from '../steps/step.ts';
import { timestamp } from '../time/clock.ts';
import type { Duration } from '../time/duration.ts';
import { nextConditions, conditionUpdates, type ConditionSource, type ConditionUpdate } from './conditions.ts';
import { isOutcome, type StepResult } from './run-steps.ts';

/** A step as the status sees it. */
export interface StatusWriter extends ConditionSource {
  readonly name: string;
  readonly finalizer?: string;
}

/** What a pass says, and the status it leads to. */
export interface PassStatus<N> {
  readonly updates: readonly ConditionUpdate<N>[];
  readonly before: readonly Condition[];
  readonly status: object & { readonly conditions: readonly Condition[] };
}

/** What the status is computed from. */
interface StatusInput<T extends StepResource, N> {
  readonly kind: Kind<T>;
  /** The object at the beginning of the pass, and what others made of it since. */
  readonly object: T;
  readonly latest: T;
  readonly results: ReadonlyMap<N, StepResult>;
  /** All whose conditions Ready sums up. */
  readonly sources: readonly N[];
  readonly ready: ReadyTexts;
}

/** The status that the results lead to, on top of what others wrote meanwhile. */
export function passStatus<T extends StepResource, N extends StatusWriter>(
  { kind, object, latest, results, sources: speakers, ready }: StatusInput<T, N>,
  { clock }: Pick<ReconcileContext, 'clock'>,
): PassStatus<N> {
  const before = latest.status?.conditions ?? [];
  const said = conditionUpdates(results).filter(({ step }) => !hasFinished(step, results.get(step)));
  const { generation = 0 } = object.metadata;
  const time = timestamp(clock);
  const conditions = nextConditions({ steps: speakers, before, verdicts: said, generation, time, ready });
  const fields = fieldsOf(results);
  // The end of a resource is a generation, too, but alone not worth a write.
  const isRelevant = object.metadata.deletionTimestamp === undefined || said.length > 0;
  const observed = isRelevant && hasObservedGeneration(kind) ? { observedGeneration: generation } : {};
  return { updates: said, before, status: { ...merged(latest.status ?? {}, fields), ...observed, conditions } };
}

/** Writes the status, if that changes anything, and reports to the observer what it says. */
export async function saveStatus<T extends StepResource, N extends StatusWriter>(
  kind: Kind<T>,
  latest: T,
  { updates: said, status }: PassStatus<N>,
  results: ReadonlyMap<N, StepResult>,
  { client, observer, signal }: ReconcileContext,
): Promise<void> {
  if (!isDeepStrictEqual(status, latest.status)) {
    try {
      await client.update(kind, { ...latest, status }, { subresource: 'status', signal });
    } catch (error) {
      // Of a resource that is gone, before its watch says so, nothing is left to save.
      if (isApiError(error, 'NotFound')) return;
      throw error;
    }
  }
  if (observer === undefined) return;
  for (const { type, status: value, reason, message } of status.conditions) {
    const verdict = said.find((item) => item.type === type);
    if (verdict === undefined && type !== 'Ready') continue;
    const result = verdict && results.get(verdict.step);
    const isOwn = verdict?.step.condition?.type === type;
    const recheck = isOwn && result !== undefined ? recheckOfResult(result) : undefined;
    observer.condition({ type, status: value, reason, message, ...(recheck !== undefined && { recheck }) });
  }
}

/** The resource as the cache shows it now; undefined when it is no longer the one, or in the state, that the pass was for. */
export function latestOf<T extends StepResource>(kind: Kind<T>, object: T, { cache }: ReconcileContext): T | undefined {
  const latest = cache.get(kind, refOf(object));
  const { uid, deletionTimestamp } = object.metadata;
  // What a living resource's steps say is of no use to one that has begun to go.
  const isSame = latest?.metadata.uid === uid && latest?.metadata.deletionTimestamp === deletionTimestamp;
  return isSame ? latest : undefined;
}

/** Whether the step's finalizer may go, and with it what the step has to say. */
export function hasFinished(step: { readonly finalizer?: string }, result: StepResult | undefined): boolean {
  return step.finalizer !== undefined && result?.outcome === 'ready';
}

/** When the result wants the resource looked at again although nothing changed. */
export function recheckOfResult(result: StepResult): Duration | 'backoff' | undefined {
  if (result.outcome === 'skipped') return result.text?.recheck;
  return result.outcome === 'threw' ? undefined : recheckOf(result);
}

/** The status fields the steps set; a field that two of them set is a bug that says so. */
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

/** The status with the fields the steps set, and without those they took away. */
function merged(status: object, fields: ReadonlyMap<string, unknown>): object {
  const all = new Map<string, unknown>([...Object.entries(status), ...fields]);
  return Object.fromEntries([...all].filter(([, value]) => value !== undefined));
}

function hasObservedGeneration({ schema }: Kind): boolean {
  return schema.properties?.['status']?.properties?.['observedGeneration'] !== undefined;
}
