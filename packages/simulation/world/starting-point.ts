// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import type { Duration } from '@forge/runtime/time/duration.ts';
import type { ClusterState } from '../scenario/cluster-state.ts';
import type { PreparedCluster, Process, Scenario, ScenarioRun } from '../scenario/scenario.ts';
import { environment, type Environment, type StandInName } from './environment.ts';
import { prepareCluster, type Preparation } from './prepare-cluster.ts';
import { world } from './world.ts';

/** A cluster to start from, with what its dependencies hold. */
export interface StartingPoint {
  readonly server: PreparedCluster;
  /** Dependencies that hold what they held when this was prepared, with further ones; faults can meet them. */
  fork(further?: readonly StandInName[]): Environment;
}

/** What a starting point is made of. */
interface StartOptions extends Preparation {
  readonly standIns: readonly StandInName[];
  /** Whether there are workload controllers and a node. Default: true. */
  readonly workloads?: boolean;
  /** Fills the systems behind the stand-ins. */
  readonly fill: (environment: Environment) => void;
  /** The operator, and whatever else runs beside the stand-ins. */
  readonly processes: (environment: Environment) => readonly Process[];
  /** What is installed once all of this has settled. Default: nothing. */
  readonly install?: Installation | undefined;
}

interface Installation {
  create(user: Client): Promise<unknown>;
  /** Why it is not what scenarios start from, once it has settled; undefined when it is. */
  problemOf(state: ClusterState): string | undefined;
  /** What goes by itself is gone after this long. Default: nothing goes. */
  rest?: Duration;
}

/** Prepares a cluster without any fault, and stops its processes. */
export async function startingPoint(options: StartOptions): Promise<StartingPoint> {
  const { standIns, workloads = true, fill, processes, install } = options;
  const prepared = environment({ standIns, workloads });
  fill(prepared);
  const from = await prepareCluster(options);
  const here = await world({ from, environment: prepared, processes: processes(prepared) });
  await here.settle();
  if (install !== undefined) {
    await here.during(install.create(here.user));
    await here.settle();
    const problem = install.problemOf(here.state);
    if (problem !== undefined) throw new Error(`what scenarios start from is not ready: ${problem}`);
    if (install.rest !== undefined) await here.advance(install.rest);
  }
  for (const process of here.processes) process.end();
  return {
    server: { store: here.context.server.store, leftAt: here.clock.now() },
    fork: (further = []) =>
      environment({ standIns: [...standIns, ...further], workloads, reliable: false, from: prepared }),
  };
}

/** A scenario whose runs start from a prepared cluster. */
export function scenarioFrom(
  prepare: () => Promise<StartingPoint>,
  newRun: (start: StartingPoint) => ScenarioRun,
  options: Omit<Scenario, 'setUp' | 'from' | 'newRun'>,
): Scenario {
  let start: StartingPoint | undefined;
  return {
    ...options,
    async from() {
      start = await prepare();
      return start.server;
    },
    newRun() {
      if (start === undefined) throw new Error('a run before its cluster was prepared');
      return newRun(start);
    },
  };
}
