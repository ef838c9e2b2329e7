// SPDX-License-Identifier: Apache-2.0
import { isDeepStrictEqual } from 'node:util';
import { isRefusal } from '@forge/kube/api-error.ts';
import type { Kind } from '@forge/kube/kind.ts';
import { refOf } from '@forge/kube/object.ts';
import { timestamp } from '../clock.ts';
import type { Reconcile } from '../controller.ts';
import { conditionStatus, nextConditions, saysSomethingNew, verdicts } from './conditions.ts';
import { recheckOf } from './outcome.ts';
import { isOutcome, type StepResult } from './run-steps.ts';
import type { Step, StepResource } from './step.ts';

/** Tells the Events of a pass, then writes the status it leads to, if that changed. */
export async function saveStatus<T extends StepResource, S>(
  { kind, speakers }: { kind: Kind<T>; speakers: readonly Step<T, S>[] },
  object: T,
  results: ReadonlyMap<Step<T, S>, StepResult>,
  { cache, client, clock, event, log, observer, signal }: Reconcile,
): Promise<void> {
  // What others changed since the pass began does not make ours wrong, and stays.
  const latest = cache.get(kind, refOf(object));
  if (latest === undefined || latest.metadata.uid !== object.metadata.uid) return;
  // What a living resource's steps say is of no use to one that has begun to go.
  if (latest.metadata.deletionTimestamp !== object.metadata.deletionTimestamp) return;
  const before = latest.status?.conditions ?? [];
  const said = verdicts(results).filter(({ step, outcome }) => !hasFinished(step, outcome));
  const news = said.filter((verdict) => saysSomethingNew(verdict, before));
  for (const { type, outcome } of news)
    log.info(`${type} ${conditionStatus(outcome)}`, { reason: outcome.reason, detail: outcome.message });
  for (const [step, result] of results) {
    if (!isOutcome(result) || result.event === undefined) continue;
    const isNews = step.condition === undefined || news.some((verdict) => verdict.step === step);
    if (isNews || hasFinished(step, result)) await event(object, result.event);
  }
  const { generation = 0 } = object.metadata;
  const conditions = nextConditions({ steps: speakers, before, verdicts: said, generation, time: timestamp(clock) });
  const status = { ...withFields(latest.status ?? {}, results.values()), conditions };
  if (!isDeepStrictEqual(status, latest.status)) {
    try {
      await client.update(kind, { ...latest, status }, { subresource: 'status', signal });
    } catch (error) {
      // Of a resource that is gone, before its watch says so, nothing is left to save.
      if (isRefusal(error, 'NotFound')) return;
      throw error;
    }
  }
  if (observer === undefined) return;
  for (const { type, status: value, reason, message } of conditions) {
    const verdict = said.find((item) => item.type === type);
    if (verdict === undefined && type !== 'Ready') continue;
    const recheck = verdict && recheckOf(verdict.outcome);
    observer.condition({ type, status: value, reason, message, ...(recheck !== undefined && { recheck }) });
  }
}

/** Whether the step's finalizer may go, and with it what the step has to say. */
export function hasFinished(step: { readonly finalizer?: string }, result: StepResult): boolean {
  return step.finalizer !== undefined && result.outcome === 'ready';
}

/** The status with the fields the steps set, and without those they took away. */
function withFields(status: object, results: Iterable<StepResult>): object {
  const set = [...results].flatMap((result) => (isOutcome(result) ? Object.entries(result.status ?? {}) : []));
  const merged = Object.fromEntries([...Object.entries(status), ...set]);
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined));
}
