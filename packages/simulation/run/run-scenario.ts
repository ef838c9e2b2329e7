// SPDX-License-Identifier: Apache-2.0
import { inspect } from 'node:util';
import type { ApiServer } from '@forge/apiserver/api-server.ts';
import type { Duration } from '@forge/runtime/time/duration.ts';
import type { Shape } from '../faults/draw-plan.ts';
import type { Plan } from '../faults/plan.ts';
import { changedObjects, differences, endState, type EndState } from '../outcome/end-state.ts';
import { ledger, repeated, type Ledger } from '../outcome/ledger.ts';
import { simulatedProcess, type SimulatedProcess } from '../process/simulated-process.ts';
import { clusterState } from '../scenario/cluster-state.ts';
import type { Play, Scenario } from '../scenario/scenario.ts';
import { perform, settle } from './perform.ts';
import { digest } from './trace.ts';
import { Violation, world, type World } from './world.ts';

/** How a run went. */
export interface Run {
  plan: Plan;
  /** What happened and must not; none when all went well. */
  violations: readonly string[];
  trace: readonly string[];
  traceHash: string;
  endState: EndState;
  /** How often what was created or deleted. */
  ledger: Ledger['counts'];
  /** How often each process did what faults can meet. */
  shape: Shape;
}

/** Plays a scenario once, on a copy of this server; `undisturbed` is how it goes when nothing goes wrong. */
export async function runScenario(
  scenario: Scenario,
  { plan, server, undisturbed }: { plan: Plan; server: Pick<ApiServer, 'store'>; undisturbed?: Run },
): Promise<Run> {
  const here = await world(plan, server);
  const { store } = here.stage.server;
  const play = scenario.play();
  const processes = play.processes.map((process) => simulatedProcess(process, here.stage));
  const changes = observe(here, play);
  const start = store.current;
  const violations: string[] = [];
  let end: EndState = new Map();
  const lost = (reason: unknown) => here.stage.fail(`nobody handles that a promise failed: ${inspect(reason)}`);
  process.on('unhandledRejection', lost);
  try {
    await perform(here, play, processes, scenario.quiet);
    end = endState(start, store.current, play.outside?.());
    if (undisturbed !== undefined) {
      violations.push(...differences(undisturbed.endState, end), ...repeated(undisturbed.ledger, changes.counts));
    }
    await checkRest(here, changes, processes, scenario.quiet);
  } catch (error) {
    // Whatever else is thrown is no less a failure of this run, and of use only with its plan.
    violations.push(error instanceof Violation ? error.message : inspect(error));
  }
  // A run that leaves another byte behind went another way.
  here.stage.note(`leaves ${digest(changedObjects(start, store.current).map(({ bytes }) => bytes))}`);
  for (const each of processes) each.end();
  await here.stage.server.close();
  process.off('unhandledRejection', lost);
  const reliable = new Set(play.processes.filter((process) => process.reliable).map(({ name }) => name));
  const shape = new Map([...here.stage.faults.counts].filter(([name]) => name !== 'user' && !reliable.has(name)));
  const { lines, hash } = here.trace;
  return { plan, violations, trace: lines, traceHash: hash(), endState: end, ledger: changes.counts, shape };
}

/** Nothing is written once all is settled, not even by processes that look at everything anew. */
async function checkRest(
  here: World,
  changes: Ledger,
  processes: readonly SimulatedProcess[],
  quiet: Duration | undefined,
): Promise<void> {
  const settled = changes.last;
  here.stage.faults.close();
  for (const each of processes) each.crash();
  await settle(here, processes, [], quiet);
  const { last } = changes;
  if (last !== settled) throw new Violation(`${last?.object.key} is written although all was settled`);
}

/** Follows every change: it goes into the ledger, and the rules must hold after it. */
function observe({ stage }: World, { rules = {} }: Play): Ledger {
  const { store } = stage.server;
  const cluster = clusterState(store);
  const changes = ledger();
  let seen = store.current.revision;
  store.subscribe('', () => {
    for (let change = store.change(seen + 1); change !== undefined; change = store.change(seen + 1)) {
      seen = change.revision;
      changes.note(change);
      if (!change.object.key.startsWith('leases.')) stage.stir();
      for (const [says, holds] of Object.entries(rules)) {
        const broken = `after ${change.type} ${change.object.key} it does not hold that ${says}`;
        try {
          if (!holds(cluster)) stage.fail(broken);
        } catch (error) {
          // Thrown from here, it would be the server's answer to whoever wrote.
          stage.fail(`${broken}: ${String(error)}`);
        }
      }
    }
  });
  return changes;
}
