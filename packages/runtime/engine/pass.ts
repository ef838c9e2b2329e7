// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { applier, type Apply } from '../apply/applier.ts';
import { boundedMap } from '../collections/bounded-map.ts';
import type { ReadyTexts } from '../contract/contract.ts';
import type { ReconcileContext } from '../controller/controller.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { DeletionStep } from '../steps/deletion-step.ts';
import type { Outcome } from '../steps/outcome.ts';
import type { Services, Step, StepResource } from '../steps/step.ts';
import type { Duration } from '../time/duration.ts';
import { eventAnnouncer } from './announce.ts';
import type { AppliedBodies } from './context/applied-bodies.ts';
import { buildStepContext, type PassContext } from './context/build-step-context.ts';
import { releaseObject, withFinalizers } from './context/finalizers.ts';
import { seenInRun, type SeenStates } from './context/seen-states.ts';
import { hasFinished, latestOf, passStatus, saveStatus } from './pass-status.ts';
import { shortestRecheck } from './requeue.ts';
import { runStep } from './run-step.ts';
import { runSteps, type StepResult } from './run-steps.ts';
import { stepMetrics } from './step-metrics.ts';
import { withContent } from './with-content.ts';

/** Steps that end a pass before the others unless they are ready; their outcome then sets the conditions. */
export interface Guards<T extends StepResource, S extends Services> {
  /** Runs before finalizers are added: a resource that is stopped here never gets one. */
  readonly beforeFinalizers?: Step<T, S>;
  /** Runs after finalizers are added: deletion works as usual. */
  readonly afterFinalizers?: Step<T, S>;
}

/** What a pass runs. */
export interface PassOptions<T extends StepResource, S extends Services> {
  readonly kind: Kind<T>;
  readonly steps: readonly Step<T, S>[];
  readonly deletion: readonly DeletionStep<T, S>[];
  readonly guards: Guards<T, S>;
  /** Runs after the steps, whatever their outcomes, and sees the resulting status in `pending`; not in a deletion. */
  readonly summary: Step<T, S> | undefined;
  readonly services: S;
  readonly ready: ReadyTexts;
  readonly fieldManager: string;
  readonly metricPrefix: string;
}

/** How a pass reads and writes: for real, or as a plan. */
export interface PassMode<S extends Services> {
  /** The context of a step, or of the engine itself as `status` and `finalizers`. */
  readonly reconcile: (step: string) => ReconcileContext;
  readonly act: <R>(step: string, description: string, call: (acting: S['acting']) => Promise<R>) => Promise<R>;
  readonly metrics: Metrics;
  /** What the steps have seen of this resource. */
  readonly seen: SeenStates;
}

/** The result of a pass. */
export interface PassReport<T extends StepResource, S extends Services> {
  readonly results: ReadonlyMap<Step<T, S>, StepResult>;
  /** Why status could not be saved or finalizers not be removed. */
  readonly errors: readonly unknown[];
  readonly recheck: Duration | undefined;
}

// Forgetting one sends an Event again, which the recorder counts up.
const rememberedEvents = 4096;

type Results<T extends StepResource, S extends Services> = ReadonlyMap<Step<T, S>, StepResult>;

/**
 * One pass over a resource: runs its guards and steps, or its deletion steps when it is being deleted; sends Events, saves
 * status, and removes the finalizers whose steps are ready.
 *
 * Guarantees: no step runs before the resource carries every finalizer; status is saved once, only if it changed,
 * whatever happened to the steps; a finalizer stays while its step is anything but ready.
 */
export function stepPass<T extends StepResource, S extends Services>(
  options: PassOptions<T, S>,
): (object: T, mode: PassMode<S>) => Promise<PassReport<T, S>> {
  const { kind, steps, deletion, guards, summary, services, ready } = options;
  const apply = appliers(options.fieldManager);
  const measure = stepMetrics(options.metricPrefix);
  const announce = eventAnnouncer();
  const sentOnce = boundedMap<string>(rememberedEvents);
  const finalizers = deletion.map(({ finalizer }) => finalizer);

  return async (resource, mode) => {
    const { log, tracing } = mode.reconcile('');
    const applied: AppliedBodies = new Map();
    /** The guards that were ready, and their results. */
    const passed = new Map<Step<T, S>, StepResult>();

    function run(
      pass: PassContext<T, S>,
      step: Step<T, S>,
      needs: Readonly<Record<string, unknown>>,
    ): Promise<Outcome> {
      const reconcile = mode.reconcile(step.name);
      const seen = seenInRun(mode.seen, step.name, reconcile.clock);
      const context = buildStepContext(pass, step, needs, seen);
      async function runWhole(): Promise<Outcome> {
        const outcome = await withContent(pass, step, () => runStep(step, context));
        seen.finish();
        return outcome;
      }
      return traced(step.name, tracing, () => measure(step, reconcile, runWhole));
    }

    async function runAll(object: T, due: readonly Step<T, S>[], pending = statusOf(object)): Promise<Results<T, S>> {
      const pass = { ...mode, kind, object, pending, services, apply, applied, sentOnce };
      const results = await runSteps(due, (step, needs) => run(pass, step, needs));
      for (const [step, { outcome }] of results) if (outcome === 'skipped') mode.seen.delete(step.name);
      return results;
    }

    /** The results with that of the summary, which sees the status of the others. */
    async function summarised(object: T, results: Results<T, S>): Promise<Results<T, S>> {
      const reconcile = mode.reconcile('status');
      const latest = summary && latestOf(kind, object, reconcile);
      if (summary === undefined || latest === undefined) return results;
      const sources = [...ownConditions(passed), ...steps];
      const { status } = passStatus({ kind, object, latest, results, sources, ready }, reconcile);
      return new Map([...results, ...(await runAll(object, [summary], status))]);
    }

    /** Sends Events, saves status and releases finalizers; `sources` are the steps whose conditions Ready aggregates. */
    async function finish(
      object: T,
      results: Results<T, S>,
      sources: readonly Step<T, S>[],
    ): Promise<PassReport<T, S>> {
      const errors: unknown[] = [];
      const note = (error: unknown) => void errors.push(error);
      await save(object, results, sources).catch(note);
      await releaseFinalizers(object, results).catch(note);
      return { results, errors, recheck: shortestRecheck(results.values()) };
    }

    async function save(object: T, results: Results<T, S>, sources: readonly Step<T, S>[]): Promise<void> {
      const reconcile = mode.reconcile('status');
      const latest = latestOf(kind, object, reconcile);
      if (latest === undefined) return;
      const status = passStatus({ kind, object, latest, results, sources, ready }, reconcile);
      await announce(object, status, results, reconcile);
      await saveStatus(kind, latest, status, results, reconcile);
    }

    /** Removes the finalizers whose steps are ready. */
    async function releaseFinalizers(object: T, results: Results<T, S>): Promise<void> {
      const finished = [...results].flatMap(([step, result]) => (hasFinished(step, result) ? [step.finalizer] : []));
      const reconcile = mode.reconcile('finalizers');
      const latest = reconcile.cache.get(kind, object.metadata);
      if (latest === undefined || latest.metadata.uid !== object.metadata.uid) return;
      await releaseObject(kind, latest, { finalizers: (each) => finished.includes(each) }, reconcile);
    }

    /** The report of the pass when the guard ends it. */
    async function stopAtGuard(guard: Step<T, S> | undefined, object: T): Promise<PassReport<T, S> | undefined> {
      if (guard === undefined) return undefined;
      const results = await runAll(object, [guard]);
      const result = results.get(guard);
      if (result?.outcome === 'ready') {
        passed.set(guard, result);
        return undefined;
      }
      log.debug('pass ended by a guard', { guard: guard.name });
      return await finish(object, new Map([...passed, ...results]), [...ownConditions(passed), guard, ...steps]);
    }

    if (resource.metadata.deletionTimestamp !== undefined) {
      const due = deletion.filter(({ finalizer }) => resource.metadata.finalizers?.includes(finalizer));
      if (due.length === 0) return { results: new Map(), errors: [], recheck: undefined };
      return await finish(resource, await runAll(resource, due), [...steps, ...deletion]);
    }
    const parked = await stopAtGuard(guards.beforeFinalizers, resource);
    if (parked !== undefined) return parked;
    const object = await withFinalizers(kind, resource, finalizers, mode.reconcile('finalizers'));
    const stopped = await stopAtGuard(guards.afterFinalizers, object);
    if (stopped !== undefined) return stopped;
    const results = await summarised(object, new Map([...passed, ...(await runAll(object, steps))]));
    return await finish(object, results, [
      ...ownConditions(passed),
      ...steps,
      ...(summary === undefined ? [] : [summary]),
    ]);
  };
}

/** The guards with only their own condition: the others are set by the steps again. */
function ownConditions<T extends StepResource, S extends Services>(guards: Results<T, S>): Step<T, S>[] {
  return [...guards.keys()].map((guard) => ({ ...guard, conditions: [] }));
}

function statusOf<T extends StepResource>({ status = {} }: T): NonNullable<T['status']> {
  return status;
}

/** The appliers of an operator: one for whole objects, one for each part. */
function appliers(fieldManager: string): (part: string | undefined) => Apply {
  const byPart = new Map<string | undefined, Apply>();
  return (part) => {
    const known = byPart.get(part) ?? applier(managerOf(fieldManager, part));
    byPart.set(part, known);
    return known;
  };
}

/** The field manager of an operator, or of a part that one of its steps writes. */
export function managerOf(fieldManager: string, part: string | undefined): string {
  return part === undefined ? fieldManager : `${fieldManager}-${part}`;
}

function traced(step: string, tracing: ReconcileContext['tracing'], run: () => Promise<Outcome>): Promise<Outcome> {
  if (tracing === undefined) return run();
  return tracing.span(step, {}, async (note) => {
    const outcome = await run();
    note({ outcome: outcome.outcome, ...(outcome.outcome !== 'checkpoint' && { reason: outcome.text.reason }) });
    return outcome;
  });
}
