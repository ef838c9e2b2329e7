// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { applier, type Apply } from '../apply/applier.ts';
import { boundedMap } from '../collections/bounded-map.ts';
import type { ReadyTexts } from '../conditions/condition-catalog.ts';
import { withFinalizers } from '../controller/finalizers.ts';
import type { DeletionStep } from '../steps/deletion-step.ts';
import type { Services, Step, StepResource } from '../steps/step.ts';
import type { PassContext } from './context/build-step-context.ts';
import { endPass, ensureNotReleased, statusAfter, type EndingPass, type PassReport, type Results } from './end-pass.ts';
import { eventsRecorder } from './record-events.ts';
import { runStep, type MeasuredPass } from './run-step.ts';
import { runSteps } from './run-steps.ts';
import { stepMetrics } from './step-metrics.ts';

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
type PassMode<T extends StepResource, S extends Services> = Pick<
  PassContext<T, S>,
  'reconcile' | 'act' | 'actUnlessPlanned' | 'metrics' | 'seen'
>;

type Pass<T extends StepResource, S extends Services> = MeasuredPass<T, S> & EndingPass<T, S>;

// Forgetting one sends an Event again, which the recorder counts up.
const rememberedEvents = 4096;
const rememberedReleases = 4096;

/**
 * One pass over a resource: runs its guards and steps, or its deletion steps when it is being deleted; sends Events, saves
 * status, and removes the finalizers whose steps are ready.
 *
 * Guarantees: no step runs before the resource carries every finalizer; status is saved once, only if it changed,
 * whatever happened to the steps; a finalizer stays while its step is anything but ready.
 */
export function stepPass<T extends StepResource, S extends Services>(
  options: PassOptions<T, S>,
): (object: T, mode: PassMode<T, S>) => Promise<PassReport<T, S>> {
  const { kind, services, ready } = options;
  const shared = {
    kind,
    services,
    ready,
    apply: appliers(options.fieldManager),
    measure: stepMetrics(options.metricPrefix),
    recordEvents: eventsRecorder(),
    sentOnce: boundedMap<string>(rememberedEvents),
    unansweredReleases: boundedMap<true>(rememberedReleases),
  };

  return async (object, mode) => {
    const pass = { ...shared, ...mode, object, pending: statusOf(object), applied: new Map() };
    const isTerminating = object.metadata.deletionTimestamp !== undefined;
    return isTerminating ? await runDeletion(pass, options) : await runOrdinary(pass, options);
  };
}

/** Runs the deletion steps whose finalizers the resource still has; the others have finished. */
async function runDeletion<T extends StepResource, S extends Services>(
  pass: Pass<T, S>,
  { steps, deletion }: PassOptions<T, S>,
): Promise<PassReport<T, S>> {
  const { finalizers = [] } = pass.object.metadata;
  const due = deletion.filter(({ finalizer }) => finalizers.includes(finalizer));
  if (due.length === 0) return { results: new Map(), errors: [], recheck: undefined };
  await ensureNotReleased(pass);
  const finished = deletion.filter((step) => !due.includes(step));
  return await endPass(pass, await runAll(pass, due, finished), [...steps, ...deletion]);
}

/** Runs the first guard, adds the finalizers, runs the second guard, the steps and the summary. */
async function runOrdinary<T extends StepResource, S extends Services>(
  pass: Pass<T, S>,
  { steps, deletion, guards, summary }: PassOptions<T, S>,
): Promise<PassReport<T, S>> {
  const first = await runGuard(pass, guards.beforeFinalizers);
  if (isStopped(first)) return await endPass(pass, first, [...guardSources(first), ...steps]);

  const finalizers = deletion.map(({ finalizer }) => finalizer);
  const object = await withFinalizers(pass.kind, pass.object, finalizers, pass.reconcile('finalizers'));
  const held = { ...pass, object };
  const guarded = new Map([...first, ...(await runGuard(held, guards.afterFinalizers))]);
  const sources = [...guardSources(guarded), ...steps];
  if (isStopped(guarded)) return await endPass(held, guarded, sources);

  const results = new Map([...guarded, ...(await runAll(held, steps))]);
  if (summary === undefined) return await endPass(held, results, sources);
  const pending = statusAfter(held, results, sources)?.status;
  // The resource was deleted or replaced meanwhile: there is nothing to summarise.
  const summarised = pending === undefined ? [] : await runAll({ ...held, pending }, [summary]);
  return await endPass(held, new Map([...results, ...summarised]), [...sources, summary]);
}

/** The result of the guard, if there is one. */
async function runGuard<T extends StepResource, S extends Services>(
  pass: Pass<T, S>,
  guard: Step<T, S> | undefined,
): Promise<Results<T, S>> {
  const results = await runAll(pass, guard === undefined ? [] : [guard]);
  if (isStopped(results)) pass.reconcile('').log.debug('pass ended by a guard', { guard: guard?.name });
  return results;
}

async function runAll<T extends StepResource, S extends Services>(
  pass: Pass<T, S>,
  steps: readonly Step<T, S>[],
  finished: readonly Step<T, S>[] = [],
): Promise<Results<T, S>> {
  const results = await runSteps(steps, (step, needs) => runStep(pass, step, needs), finished);
  for (const [step, { outcome }] of results) if (outcome === 'skipped') pass.seen.delete(step.name);
  return results;
}

/** Whether a guard ends the pass. */
function isStopped<T extends StepResource, S extends Services>(guards: Results<T, S>): boolean {
  return [...guards.values()].some(({ outcome }) => outcome !== 'ready');
}

/** The guards as sources of conditions: one that is ready sets only its own, since the steps set the others again. */
function guardSources<T extends StepResource, S extends Services>(guards: Results<T, S>): Step<T, S>[] {
  return [...guards].map(([guard, { outcome }]) => (outcome === 'ready' ? { ...guard, conditions: [] } : guard));
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
