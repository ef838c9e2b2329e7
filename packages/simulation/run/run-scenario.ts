// SPDX-License-Identifier: Apache-2.0
import { inspect } from 'node:util';
import type { Duration } from '@forge/runtime/environment/duration.ts';
import type { ProcessOperations } from '../faults/draw-plan.ts';
import type { FaultInjector } from '../faults/fault-injector.ts';
import type { Fault, FaultPlan } from '../faults/fault-plan.ts';
import type { Child } from '../faults/sweep.ts';
import type { FaultEffects } from '../faults/variants.ts';
import type { ChangeLog } from '../outcome/change-log.ts';
import { changedObjects } from '../outcome/end-state.ts';
import { noOutcome, outcomeOf, type Outcome } from '../outcome/outcome.ts';
import type { PreparedCluster, ScenarioRun, Scenario } from '../scenario/scenario.ts';
import { environment } from '../world/environment.ts';
import { Violation } from '../world/simulated-cluster.ts';
import { digest } from '../world/trace.ts';
import { world, type World } from '../world/world.ts';
import { differencesOf } from './compare-runs.ts';
import { childrenIn, handsOf } from './hands.ts';
import { observe } from './observe.ts';
import { runSteps } from './run-steps.ts';

/** The result of a run. */
export interface Run extends Outcome {
  plan: FaultPlan;
  /** The violations; empty when the run passed. */
  violations: readonly string[];
  trace: readonly string[];
  traceHash: string;
  /** How often each object was created or deleted. */
  changeCounts: ChangeLog['counts'];
  /** The operation counts of each process. */
  operations: ProcessOperations;
  /** The calls of each process that may have changed an external system. */
  changingCalls: FaultInjector['changingCalls'];
  /** The operation counts before the first user step. */
  startOperations: ProcessOperations;
  /** The objects that people can change by hand. */
  children: readonly Child[];
  /** What it shows about its faults. */
  effects: FaultEffects;
}

/** Runs a scenario once, on a fork of this server; `baseline` is the run without faults. */
export async function runScenario(
  scenario: Scenario,
  { plan, server, baseline }: { plan: FaultPlan; server: PreparedCluster; baseline?: Run },
): Promise<Run> {
  const scenarioRun = scenario.newRun();
  const { processes } = scenarioRun;
  const cluster = await world({ ...plan, from: server, environment: environment({ workloads: false }), processes });
  const { store } = cluster.context.server;
  const changes = observe(cluster, scenarioRun);
  const { manualChanges = { controllers: [] } } = scenario;
  const hands = handsOf(cluster.context, cluster.state, manualChanges);
  cluster.context.act = hands.act;
  const start = store.current;
  const violations: string[] = [];
  let outcome = noOutcome;
  let startOperations: ProcessOperations = new Map();
  const onUnhandledRejection = (reason: unknown) => cluster.context.fail(`unhandled rejection: ${inspect(reason)}`);
  process.on('unhandledRejection', onUnhandledRejection);
  try {
    startOperations = await runSteps(cluster, scenarioRun, { settleTime: scenario.settleTime, faults: plan.faults });
    outcome = outcomeOf(start, store.current, scenarioRun.outside?.(cluster.state), scenario);
    const found = { ...outcome, changeCounts: changes.counts, faults: plan.faults, end: store.current };
    if (baseline !== undefined) violations.push(...differencesOf(baseline, found, { scenario, scenarioRun, hands }));
    await checkIdle(cluster, changes, { settleTime: scenario.settleTime, due: dueAgain(scenarioRun, plan) });
    violations.push(...idleWrites(cluster, scenarioRun, plan));
  } catch (error) {
    // Any other error also fails the run, and must be reported with its plan.
    violations.push(error instanceof Violation ? error.message : inspect(error));
  }
  // Makes the trace hash depend on every byte left behind.
  cluster.context.note(`leaves ${digest(changedObjects(start, store.current).map(({ bytes }) => bytes))}`);
  await cluster[Symbol.asyncDispose]();
  process.off('unhandledRejection', onUnhandledRejection);
  const reliable = new Set(processes.filter((process) => process.reliable).map(({ name }) => name));
  const operations = new Map(
    [...cluster.context.faults.counts].filter(([name]) => name !== 'user' && !reliable.has(name)),
  );
  const end = store.current;
  const { lines, hash } = cluster.trace;
  const trace = { trace: lines, traceHash: hash() };
  const children = childrenIn(start, end, manualChanges);
  return {
    plan,
    violations,
    ...trace,
    ...outcome,
    changeCounts: changes.counts,
    operations,
    startOperations,
    changingCalls: cluster.context.faults.changingCalls,
    children,
    effects: cluster.context.effects,
  };
}

/** Faults after which a process still knows the current state, so that all its writes should change something. */
const faultsWithCurrentState = new Set<Fault['fault']>([
  'crash',
  'jump',
  'refuse',
  'freeze',
  'slow',
  'outage',
  'crash-at-call',
  'lost-reply',
]);

/** The writes of frugal processes that changed nothing. */
function idleWrites({ context }: World, { processes }: ScenarioRun, { faults }: FaultPlan): string[] {
  if (!faults.every(({ fault }) => faultsWithCurrentState.has(fault))) return [];
  const frugal = new Set(processes.filter((process) => process.frugal).map(({ name }) => name));
  const found = context.idleWrites.filter((write) => frugal.has(write.split(' ')[0] ?? ''));
  return found.map((write) => `${write} changed nothing`);
}

/** The processes whose periodic work may be due again, because their clock jumped and a restart corrects it. */
function dueAgain({ processes }: ScenarioRun, { faults }: FaultPlan): ReadonlySet<string> {
  const jumped = new Set(faults.filter(({ fault }) => fault === 'jump').map(({ process }) => process));
  return new Set(processes.filter(({ name, periodic }) => periodic && jumped.has(name)).map(({ name }) => name));
}

/** Checks that nothing is written after everything has settled, even by restarted processes, except those that are due. */
async function checkIdle(
  here: World,
  changes: ChangeLog,
  { settleTime, due }: { settleTime: Duration | undefined; due: ReadonlySet<string> },
): Promise<void> {
  const settled = new Map(changes.last);
  here.context.faults.disable();
  for (const each of here.processes) each.crash();
  await here.settle(settleTime, []);
  const [written] = [...changes.last].filter(([writer, change]) => !due.has(writer) && settled.get(writer) !== change);
  if (written === undefined) return;
  const [writer, { object }] = written;
  throw new Violation(`${object.key} was written after everything had settled, by ${writer}`);
}
