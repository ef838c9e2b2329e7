// SPDX-License-Identifier: Apache-2.0
import { defaultReady } from '../conditions/condition-catalog.ts';
import type { ReconcileContext } from '../controller/controller.ts';
import { stepPass } from '../engine/pass.ts';
import { isOutcome, isSatisfied, type StepResult } from '../engine/run-steps.ts';
import type { StepControllerOptions } from '../engine/step-controller.ts';
import { noMetrics } from '../observability/metrics.ts';
import { PlannedCall } from '../steps/planned-call.ts';
import type { Services, Step, StepResource } from '../steps/step.ts';
import { plannedCache, type PlannedObjects } from './planned-cache.ts';
import type { PlannedWrite } from './planned-write.ts';
import { planningClients } from './planning-client.ts';

/** A call to an outside system that a plan does not make. */
interface CallNotMade {
  step: string;
  description: string;
  /** Whether the step went on without the answer; otherwise it ended there, and what it does afterwards is unknown. */
  goesOn: boolean;
}

/** What one pass over a resource would do. */
export interface Plan {
  writes: readonly PlannedWrite[];
  calls: readonly CallNotMade[];
  /** The outcome of each step that could run. */
  outcomes: readonly { step: string; outcome: string; reason: string; message: string }[];
  /** Steps that cannot run yet, the steps they wait for, and the kinds they would write. */
  later: readonly { step: string; after: readonly string[]; kinds: readonly string[] }[];
}

/** Runs a pass over the resource against the live cluster, without writes or calls. */
export async function planPass<T extends StepResource, S extends Services>(
  options: StepControllerOptions<T, S>,
  object: T,
  reconcile: Omit<ReconcileContext, 'event' | 'metrics' | 'observer' | 'tracing'>,
): Promise<Plan> {
  const { for: kind, deletion = [], guards = {}, summary, ready = defaultReady } = options;
  const writes: PlannedWrite[] = [];
  const calls: CallNotMade[] = [];
  const planned: PlannedObjects = new Map();
  const cache = plannedCache(reconcile.cache, planned);
  // Recorded before it is thrown: a step may catch it.
  const call = (step: string, description: string) => {
    calls.push({ step, description, goesOn: false });
    return new PlannedCall(description);
  };
  const write = (each: PlannedWrite) => void writes.push(each);
  const clientOf = planningClients(reconcile.client, reconcile.clock, planned, { write, call });
  const pass = stepPass({ ...options, kind, deletion, guards, summary, ready });
  const { results, errors } = await pass(object, {
    reconcile: (step) => ({ ...reconcile, cache, client: clientOf(step), metrics: noMetrics, event: async () => {} }),
    act: (step, description) => Promise.reject(call(step, description)),
    async actUnlessPlanned(step, description) {
      calls.push({ step, description, goesOn: true });
      return undefined;
    },
    metrics: noMetrics,
    seen: new Map(),
  });
  if (errors.length > 0) throw new AggregateError(errors, `the plan of ${kind.kind} ${object.metadata.name} failed`);
  return {
    writes,
    calls,
    outcomes: [...results].flatMap(outcomesOf),
    later: [...results].flatMap((each) => laterSteps(each, results)),
  };
}

function outcomesOf<T extends StepResource, S extends Services>([step, result]: [
  Step<T, S>,
  StepResult,
]): Plan['outcomes'] {
  if (result.outcome === 'threw') {
    if (result.error instanceof PlannedCall) return [];
    return [{ step: step.name, outcome: 'threw', reason: '', message: String(result.error) }];
  }
  if (result.outcome === 'checkpoint') return [{ step: step.name, outcome: 'checkpoint', reason: '', message: '' }];
  if (!isOutcome(result)) return [];
  const { outcome, text } = result;
  return [{ step: step.name, outcome, reason: text?.reason ?? '', message: text?.message ?? '' }];
}

function laterSteps<T extends StepResource, S extends Services>(
  [step, result]: [Step<T, S>, StepResult],
  results: ReadonlyMap<Step<T, S>, StepResult>,
): Plan['later'] {
  if (result.outcome !== 'skipped') return [];
  const unsatisfied = Object.values(step.needs).filter((need) => {
    const needed = results.get(need);
    return needed !== undefined && !isSatisfied(needed);
  });
  return [
    { step: step.name, after: unsatisfied.map(({ name }) => name), kinds: step.owns.map(({ kind }) => kind.kind) },
  ];
}
