// SPDX-License-Identifier: Apache-2.0
import { isDeepStrictEqual } from 'node:util';
import type { Kind } from '@forge/kube/kind.ts';
import { refOf } from '@forge/kube/object.ts';
import { applier } from './applier.ts';
import { timestamp } from './clock.ts';
import { conditionStatus, nextConditions, saysSomethingNew, verdicts } from './conditions.ts';
import type { Reconcile } from './controller.ts';
import { now, type Duration } from './duration.ts';
import { failed, type Outcome } from './outcome.ts';
import { ReconcileError } from './reconcile-error.ts';
import { isOutcome, runSteps, type StepResult } from './run-steps.ts';
import { stepContext, WriteRefused } from './step-context.ts';
import type { Step, StepResource } from './step.ts';

/** What a pass runs. */
export interface StepPassOptions<T extends StepResource, S> {
  kind: Kind<T>;
  steps: readonly Step<T, S>[];
  services: S;
  fieldManager: string;
}

type Results<T extends StepResource, S> = ReadonlyMap<Step<T, S>, StepResult>;

/**
 * One pass over a resource: runs its steps, tells Events, saves status.
 *
 * Guarantees: status is saved once, only if it changed, whatever happened to the steps.
 *
 * Errors: a ReconcileError with everything that failed, including the saving of status.
 */
export function stepPass<T extends StepResource, S>(
  options: StepPassOptions<T, S>,
): (object: T, reconcile: Reconcile) => Promise<Duration | undefined> {
  const apply = applier(options.fieldManager);
  const { steps, services } = options;

  return async (object, reconcile) => {
    const results = await runSteps(steps, (step, needs) => {
      const log = reconcile.log.with({ step: step.name });
      return runStep(step, stepContext({ step, object, needs, services, reconcile: { ...reconcile, log }, apply }));
    });
    const faults = [...results].flatMap(([step, result]) => faultOf(step.name, result));
    await saveStatus(options, object, results, reconcile).catch((error: unknown) => faults.push(error));
    const recheck = shortestRecheck(results);
    if (faults.length > 0) throw new ReconcileError(faults, recheck);
    return recheck;
  };
}

async function runStep<T extends StepResource, S>(
  step: Step<T, S>,
  context: Parameters<typeof step.run>[0],
): Promise<Outcome> {
  const outcome = await step.run(context).catch((error: unknown) => {
    if (error instanceof WriteRefused) return failed('ApplyRejected', error.message, error);
    throw error;
  });
  const foreign = Object.keys(outcome.status ?? {}).find((field) => !step.writes.includes(field));
  if (foreign !== undefined) throw new Error(`step ${step.name} sets status.${foreign} without naming it in writes`);
  return outcome;
}

function faultOf(step: string, result: StepResult): unknown[] {
  switch (result.outcome) {
    case 'threw':
      return [new Error(`step ${step} threw: ${messageOf(result.error)}`, { cause: result.error })];
    case 'failed':
      return [new Error(`step ${step} failed: ${result.message}`, { cause: result.cause })];
    case 'ready':
    case 'degraded':
    case 'waiting':
    case 'blocked':
    case 'again':
    case 'skipped':
      return [];
  }
}

function shortestRecheck<T extends StepResource, S>(results: Results<T, S>): Duration | undefined {
  const wishes = [...results.values()].flatMap((result) => {
    if (result.outcome === 'again') return now;
    return 'recheck' in result ? result.recheck : [];
  });
  return wishes.toSorted((a, b) => a - b)[0];
}

/** Tells the Events of this pass, then writes the status it leads to. */
async function saveStatus<T extends StepResource, S>(
  { kind, steps }: StepPassOptions<T, S>,
  object: T,
  results: Results<T, S>,
  { cache, client, clock, event, log, signal }: Reconcile,
): Promise<void> {
  // Only we write status: what else changed since the pass began does not make ours wrong, only its version.
  const latest = cache.get(kind, refOf(object));
  if (latest === undefined || latest.metadata.uid !== object.metadata.uid) return;
  if (latest.metadata.deletionTimestamp !== undefined) return;
  const before = object.status?.conditions ?? [];
  const said = verdicts(results);
  const news = said.filter((verdict) => saysSomethingNew(verdict, before));
  for (const { type, outcome } of news)
    log.info(`${type} ${conditionStatus(outcome)}`, { reason: outcome.reason, detail: outcome.message });
  for (const [step, result] of results) {
    const due = step.condition === undefined || news.some((verdict) => verdict.step === step);
    if (due && isOutcome(result) && result.event !== undefined) await event(object, result.event);
  }
  const { generation = 0 } = object.metadata;
  const status = {
    ...withFields(object.status ?? {}, results.values()),
    conditions: nextConditions({ steps, before, verdicts: said, generation, time: timestamp(clock) }),
  };
  if (isDeepStrictEqual(status, latest.status)) return;
  await client.update(kind, { ...latest, status }, { subresource: 'status', signal });
}

/** The status with the fields the steps set, and without those they took away. */
function withFields(status: object, results: Iterable<StepResult>): object {
  const set = [...results].flatMap((result) => (isOutcome(result) ? Object.entries(result.status ?? {}) : []));
  const merged = Object.fromEntries([...Object.entries(status), ...set]);
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
