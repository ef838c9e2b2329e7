// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { unwatchedKindRecheck } from '../contract/engine-rows.ts';
import { StepFailure } from '../steps/fail-on-error.ts';
import { KindNotInstalled } from '../steps/kind-not-installed.ts';
import { blocked, failed, waiting, type Outcome } from '../steps/outcome.ts';
import { isSameKind } from '../steps/owned.ts';
import { StepBug } from '../steps/step-bug.ts';
import type { Services, Step, StepResource } from '../steps/step.ts';
import { WriteRejected } from './context/write-rejected.ts';

/** Runs a step: rejected writes become its outcome; undeclared conditions and status fields are errors. */
export async function runStep<T extends StepResource, S extends Services>(
  step: Step<T, S>,
  context: Parameters<typeof step.run>[0],
): Promise<Outcome> {
  const outcome = await step.run(context).catch((error: unknown) => outcomeOfError(step, error));
  const foreign = Object.keys(outcome.status ?? {}).find((field) => !step.writes.includes(field));
  if (foreign !== undefined) throw new StepBug(`step ${step.name} sets status.${foreign}, which is not in its writes`);
  if (outcome.outcome === 'checkpoint') return outcome;
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
