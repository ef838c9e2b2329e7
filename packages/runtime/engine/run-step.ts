// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { unwatchedKindRecheck } from '../conditions/engine-cases.ts';
import type { ReconcileContext } from '../controller/controller.ts';
import { StepFailure } from '../steps/fail-on-error.ts';
import { KindNotInstalled } from '../steps/kind-not-installed.ts';
import { blocked, failed, waiting, type Outcome } from '../steps/outcome.ts';
import { isSameKind } from '../steps/owned.ts';
import { StepBug } from '../steps/step-bug.ts';
import type { Services, Step, StepResource } from '../steps/step.ts';
import { buildStepContext, type PassContext } from './context/build-step-context.ts';
import { seenInRun } from './context/seen-states.ts';
import { WriteRejected } from './context/write-rejected.ts';
import type { MeasureStep } from './step-metrics.ts';
import { withContent } from './with-content.ts';

/** A pass whose steps are measured. */
export interface MeasuredPass<T extends StepResource, S extends Services> extends PassContext<T, S> {
  readonly measure: MeasureStep;
}

/** Runs a step with the content of the Secrets that it reads, as a span of the trace, and measures it. */
export async function runStep<T extends StepResource, S extends Services>(
  pass: MeasuredPass<T, S>,
  step: Step<T, S>,
  needs: Readonly<Record<string, unknown>>,
): Promise<Outcome> {
  const reconcile = pass.reconcile(step.name);
  const seen = seenInRun(pass.seen, step.name, reconcile.clock);
  const context = buildStepContext(pass, step, needs, seen);
  const run = () => withContent(pass, step, () => checkedOutcome(step, context));
  const outcome = await traced(step.name, reconcile.tracing, () => pass.measure(step, reconcile, run));
  seen.finish();
  return outcome;
}

function traced(step: string, tracing: ReconcileContext['tracing'], run: () => Promise<Outcome>): Promise<Outcome> {
  if (tracing === undefined) return run();
  return tracing.span(step, {}, async (note) => {
    const outcome = await run();
    note({ outcome: outcome.outcome, ...('text' in outcome && { reason: outcome.text?.reason ?? '' }) });
    return outcome;
  });
}

/** The outcome of a step: rejected writes become one; undeclared conditions and status fields are errors. */
async function checkedOutcome<T extends StepResource, S extends Services>(
  step: Step<T, S>,
  context: Parameters<typeof step.run>[0],
): Promise<Outcome> {
  const outcome = await step.run(context).catch((error: unknown) => outcomeOfError(step, error));
  const unlisted = Object.keys(outcome.status ?? {}).find((field) => !step.writes.includes(field));
  if (unlisted !== undefined)
    throw new StepBug(`step ${step.name} sets status.${unlisted}, which is not in its writes`);
  if (outcome.outcome === 'checkpoint') return outcome;
  if (outcome.text === undefined && step.condition !== undefined && step.condition.helperOf === undefined)
    throw new StepBug(`step ${step.name} is ready without a text for its condition ${step.condition.type}`);
  const undeclared = Object.keys(outcome.conditions ?? {}).find(
    (type) => !step.conditions.some((condition) => condition.type === type),
  );
  if (undeclared === undefined) return outcome;
  throw new StepBug(`step ${step.name} sets ${undeclared}, which is not in its conditions`);
}

function outcomeOfError<T extends StepResource, S extends Services>(step: Step<T, S>, error: unknown): Outcome {
  if (error instanceof StepFailure) return error.outcome;
  if (error instanceof WriteRejected) return failed(error.statement.reason, error.message, error);
  if (!(error instanceof KindNotInstalled)) throw error;
  const { statement, missing, message } = error;
  if (isWatched(step, missing)) return blocked(statement.reason, message);
  return waiting(statement.reason, message, unwatchedKindRecheck);
}

/** Whether the installation of the kind triggers a pass. */
function isWatched<T extends StepResource, S extends Services>({ owns, reads }: Step<T, S>, kind: Kind): boolean {
  return [...owns, ...reads.filter(({ live }) => !live)].some((each) => isSameKind(each.kind, kind));
}
