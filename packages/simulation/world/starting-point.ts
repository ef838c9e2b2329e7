// SPDX-License-Identifier: Apache-2.0
import type { StandInName } from '@forge/cluster/stand-ins/register/stand-ins.ts';
import type { Client } from '@forge/kube/client/client.ts';
import type { Duration } from '@forge/runtime/environment/duration.ts';
import type { ClusterState } from '../scenario/cluster-state.ts';
import type { PreparedCluster, Process, Scenario, ScenarioRun } from '../scenario/scenario.ts';
import { environment, type Environment } from './environment.ts';
import { prepareCluster, type Preparation } from './prepare-cluster.ts';
import { world } from './world.ts';

/** A cluster to start from, with the external state of its dependencies. */
export interface StartingPoint {
  readonly server: PreparedCluster;
  /** The dependencies with the external state of the preparation, and further ones; subject to faults. */
  fork(further?: readonly StandInName[]): Environment;
}

/** Options of a starting point. */
interface StartOptions extends Preparation {
  readonly standIns: readonly StandInName[];
  /** Whether there are workload controllers and a node. Default: true. */
  readonly workloads?: boolean;
  /** Whether servers run in pods with an image of OpenBao. Default: false. */
  readonly openbao?: boolean;
  /** Fills the backends of the stand-ins. */
  readonly fill: (environment: Environment) => void;
  /** The operator, and other processes besides the stand-ins. */
  readonly processes: (environment: Environment) => readonly Process[];
  /** What to install once everything has settled. Default: nothing. */
  readonly install?: Installation | undefined;
}

interface Installation {
  create(user: Client): Promise<unknown>;
  /** Why scenarios cannot start from the settled state; undefined when they can. */
  problemOf(state: ClusterState): string | undefined;
  /** How long to wait until expiring objects are gone. Default: no wait. */
  rest?: Duration;
}

/** Prepares a cluster without any fault, and stops its processes. */
export async function startingPoint(options: StartOptions): Promise<StartingPoint> {
  const { standIns, workloads = true, openbao = false, fill, processes, install } = options;
  const prepared = environment({ standIns, workloads, openbao });
  fill(prepared);
  const from = await prepareCluster(options);
  // No plan has this seed: in a run with that of its preparation a process would draw the same keys once more.
  const here = await world({ seed: -1, from, environment: prepared, processes: processes(prepared) });
  await here.settle();
  if (install !== undefined) {
    await here.during(install.create(here.user));
    await here.settle();
    const problem = install.problemOf(here.state);
    if (problem !== undefined) throw new Error(`the starting point of scenarios is not ready: ${problem}`);
    if (install.rest !== undefined) await here.advance(install.rest);
  }
  for (const process of here.processes) process.end();
  return {
    server: { store: here.context.server.store, leftAt: here.clock.now() },
    fork: (further = []) =>
      environment({ standIns: [...standIns, ...further], workloads, openbao, reliable: false, from: prepared }),
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
      if (start === undefined) throw new Error('newRun() was called before from()');
      return newRun(start);
    },
  };
}
