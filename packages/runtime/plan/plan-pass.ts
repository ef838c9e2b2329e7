// SPDX-License-Identifier: Apache-2.0
import { applier } from '../applier.ts';
import type { Reconcile } from '../controller.ts';
import { noMetrics } from '../metrics.ts';
import { addFinalizers } from '../steps/finalizers.ts';
import { isOutcome, isSatisfied, runSteps, type StepResult } from '../steps/run-steps.ts';
import { saveStatus } from '../steps/save-status.ts';
import { stepContext } from '../steps/step-context.ts';
import type { StepControllerOptions } from '../steps/step-controller.ts';
import { letGo } from '../steps/step-pass.ts';
import type { Step, StepResource } from '../steps/step.ts';
import type { PlannedWrite } from './planned-write.ts';
import { planningClients } from './planning-client.ts';

/** What one pass over a resource would do. */
export interface Plan {
  writes: readonly PlannedWrite[];
  /** What each step that could run says. */
  said: readonly { step: string; outcome: string; reason: string; message: string }[];
  /** Steps that cannot run yet, what they wait for, and the kinds they would write. */
  later: readonly { step: string; after: readonly string[]; kinds: readonly string[] }[];
}

/** Runs the steps of a resource against the cluster as it is, and writes nowhere. */
export async function planPass<T extends StepResource, S>(
  options: StepControllerOptions<T, S>,
  object: T,
  reconcile: Omit<Reconcile, 'event' | 'metrics' | 'observer' | 'tracing'>,
): Promise<Plan> {
  const { for: kind, steps, deletion = [], services } = options;
  const writes: PlannedWrite[] = [];
  const clientOf = planningClients(reconcile.client, reconcile.clock, (write) => void writes.push(write));
  const as = (step: string): Reconcile => ({
    ...reconcile,
    client: clientOf(step),
    metrics: noMetrics,
    event: async () => {},
  });
  const isGoing = object.metadata.deletionTimestamp !== undefined;
  const due: readonly Step<T, S>[] = isGoing
    ? deletion.filter(({ finalizer }) => object.metadata.finalizers?.includes(finalizer))
    : steps;
  if (!isGoing)
    await addFinalizers(
      kind,
      object,
      deletion.map(({ finalizer }) => finalizer),
      as('finalizers'),
    );
  const apply = applier(options.fieldManager);
  const results = await runSteps(due, (step, needs) =>
    step.run(stepContext({ kind, step, object, needs, services, reconcile: as(step.name), apply })),
  );
  const speakers = isGoing ? [...steps, ...deletion] : steps;
  await saveStatus({ kind, speakers }, object, results, as('status'));
  await letGo(kind, object, results, as('finalizers'));
  return { writes, said: [...results].flatMap(told), later: [...results].flatMap((each) => waiting(each, results)) };
}

function told<T extends StepResource, S>([step, result]: [Step<T, S>, StepResult]): Plan['said'] {
  if (result.outcome === 'threw') {
    return [{ step: step.name, outcome: 'threw', reason: '', message: String(result.error) }];
  }
  if (!isOutcome(result)) return [];
  const { outcome, reason, message } = result;
  return [{ step: step.name, outcome, reason, message }];
}

function waiting<T extends StepResource, S>(
  [step, result]: [Step<T, S>, StepResult],
  results: ReadonlyMap<Step<T, S>, StepResult>,
): Plan['later'] {
  if (result.outcome !== 'skipped') return [];
  const unsatisfied = Object.values(step.needs).filter((need) => {
    const needed = results.get(need);
    return needed === undefined || !isSatisfied(needed);
  });
  return [
    { step: step.name, after: unsatisfied.map(({ name }) => name), kinds: step.owns.map(({ kind }) => kind.kind) },
  ];
}
