// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kind.ts';
import { refOf } from '@forge/kube/object.ts';
import { applier } from '../applier.ts';
import type { Reconcile } from '../controller.ts';
import { now, type Duration } from '../duration.ts';
import { ReconcileError } from '../reconcile-error.ts';
import type { DeletionStep } from './deletion-step.ts';
import { addFinalizers, removeFinalizers } from './finalizers.ts';
import { failed, recheckOf, type Outcome } from './outcome.ts';
import { isOutcome, runSteps, type StepResult } from './run-steps.ts';
import { hasFinished, saveStatus } from './save-status.ts';
import { stepContext, WriteRefused } from './step-context.ts';
import { stepMetrics } from './step-metrics.ts';
import type { Step, StepResource } from './step.ts';

/** What a pass runs. */
export interface StepPassOptions<T extends StepResource, S> {
  kind: Kind<T>;
  steps: readonly Step<T, S>[];
  deletion: readonly DeletionStep<T, S>[];
  services: S;
  fieldManager: string;
  metricPrefix: string;
}

type Pass<T> = (object: T, reconcile: Reconcile) => Promise<Duration | undefined>;

/**
 * One pass over a resource: runs its steps, or its deletion steps when it is being deleted; tells Events, saves status,
 * and lets go of the finalizers whose steps are ready.
 *
 * Guarantees: no step runs before the resource carries every finalizer; status is saved once, only if it changed,
 * whatever happened to the steps; a finalizer stays while its step is anything but ready.
 *
 * Errors: a ReconcileError with everything that failed, including the saving of status.
 */
export function stepPass<T extends StepResource, S>(options: StepPassOptions<T, S>): Pass<T> {
  const { kind, steps, deletion, services } = options;
  const apply = applier(options.fieldManager);
  const measure = stepMetrics(options.metricPrefix);
  const finalizers = deletion.map(({ finalizer }) => finalizer);

  /** Runs these steps; `speakers` are all whose conditions Ready sums up. */
  async function pass(
    due: readonly Step<T, S>[],
    speakers: readonly Step<T, S>[],
    object: T,
    reconcile: Reconcile,
  ): Promise<Duration | undefined> {
    const results = await runSteps(due, (step, needs) => {
      const stepReconcile = { ...reconcile, log: reconcile.log.with({ step: step.name }) };
      const context = stepContext({ kind, step, object, needs, services, reconcile: stepReconcile, apply });
      return followed(step.name, reconcile, () => measure(step, reconcile, () => runStep(step, context)));
    });
    const faults = [...results].flatMap(([step, result]) => faultOf(step.name, result));
    const note = (error: unknown) => void faults.push(error);
    await saveStatus({ kind, speakers }, object, results, reconcile).catch(note);
    await letGo(kind, object, results, reconcile).catch(note);
    const recheck = shortestRecheck(results.values());
    if (faults.length > 0) throw new ReconcileError(faults, recheck);
    return recheck;
  }

  return async (object, reconcile) => {
    if (object.metadata.deletionTimestamp === undefined) {
      if (await addFinalizers(kind, object, finalizers, reconcile)) return now;
      return await pass(steps, steps, object, reconcile);
    }
    const due = deletion.filter(({ finalizer }) => object.metadata.finalizers?.includes(finalizer));
    return due.length === 0 ? undefined : await pass(due, [...steps, ...deletion], object, reconcile);
  };
}

/** Takes off the finalizers whose steps are ready. */
export async function letGo<T extends StepResource, S>(
  kind: Kind<T>,
  object: T,
  results: ReadonlyMap<Step<T, S>, StepResult>,
  reconcile: Reconcile,
): Promise<void> {
  const finished = [...results].flatMap(([step, result]) =>
    step.finalizer !== undefined && hasFinished(step, result) ? [step.finalizer] : [],
  );
  const latest = reconcile.cache.get(kind, refOf(object));
  if (latest !== undefined && latest.metadata.uid === object.metadata.uid)
    await removeFinalizers(kind, latest, finished, reconcile);
}

function followed(step: string, { tracing }: Reconcile, run: () => Promise<Outcome>): Promise<Outcome> {
  if (tracing === undefined) return run();
  return tracing.span(step, {}, async (note) => {
    const outcome = await run();
    note({ outcome: outcome.outcome, reason: outcome.reason });
    return outcome;
  });
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

function shortestRecheck(results: Iterable<StepResult>): Duration | undefined {
  const wishes = [...results].flatMap((result) => (isOutcome(result) ? (recheckOf(result) ?? []) : []));
  return wishes.filter((wish) => wish !== 'backoff').toSorted((a, b) => a - b)[0];
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
