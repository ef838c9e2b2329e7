// SPDX-License-Identifier: Apache-2.0
import type { ApiServer } from '@forge/apiserver/api-server.ts';
import type { User } from '@forge/apiserver/request/server-request.ts';
import { inProcessTransport } from '@forge/apiserver/wire/in-process-transport.ts';
import { client, type Client } from '@forge/kube/client/client.ts';
import { minutes, seconds, type Duration } from '@forge/runtime/time/duration.ts';
import type { Fault } from '../faults/fault-plan.ts';
import { faultyTransport } from '../process/faulty-transport.ts';
import { processRun } from '../process/process-run.ts';
import { simulatedProcess, type SimulatedProcess } from '../process/simulated-process.ts';
import { settle } from '../run/run-steps.ts';
import { simulatedCluster, type SimulatedCluster } from '../run/simulated-cluster.ts';
import { clusterState, type ClusterState } from '../scenario/cluster-state.ts';
import type { Process } from '../scenario/scenario.ts';
import { environment as ordinary, type Environment } from './environment.ts';
import { prepareCluster } from './prepare-cluster.ts';

/** What a world is made of. */
export interface WorldOptions {
  /** Decides the order of what could happen at the same time. Default 1. */
  seed?: number;
  /** What goes wrong. Default: nothing. */
  faults?: readonly Fault[];
  /** A prepared cluster that the world begins with a copy of. Default: one with a node and nothing else. */
  from?: Pick<ApiServer, 'store'>;
  /** What is around the operators. Default: workload controllers with their node. */
  environment?: Environment;
  /** Operators, and whatever else runs. */
  processes?: readonly Process[];
}

/** A whole cluster on a virtual clock; with the same seed, all is repeated. */
export interface World extends Omit<SimulatedCluster, 'settle'>, AsyncDisposable {
  readonly environment: Environment;
  /** The cluster as it is at this moment, without a request. */
  readonly state: ClusterState;
  readonly processes: readonly SimulatedProcess[];
  /** The process of this name: `stop` lets it vanish, `start` lets it come back. */
  process(name: string): SimulatedProcess;
  /** A client of somebody else than the administrator, to whom nothing bad happens. */
  readonly as: (user: User) => Client;
  /** Lets things happen until this holds; throws when it does not within ten minutes, or as given. */
  until(holds: (state: ClusterState) => boolean, within?: Duration): Promise<void>;
  /** Lets things happen until nothing was written for so long, 40 seconds by default, delayed events included. */
  settle(quiet?: Duration): Promise<void>;
}

/** Makes a world whose processes have just started; time stands still until somebody lets things happen. */
export async function world(options: WorldOptions = {}): Promise<World> {
  const { seed = 1, faults = [], environment = ordinary(), processes = [] } = options;
  const from = options.from ?? (await prepareCluster());
  const cluster = await simulatedCluster({ seed, faults }, from);
  const { context } = cluster;
  const all = [...environment.processes, ...processes];
  const running = new Map(all.map((process) => [process.name, simulatedProcess(process, context)] as const));
  const state = clusterState(context.server.store);
  for (const process of running.values()) process.start();

  return {
    ...cluster,
    environment,
    state,
    processes: [...running.values()],
    process(name) {
      const found = running.get(name);
      if (found === undefined) throw new Error(`no process ${name} in this world: ${[...running.keys()].join(', ')}`);
      return found;
    },
    as: (user) =>
      client(inProcessTransport({ handle: faultyTransport(processRun('user', 'user', context), context) }, user)),
    async until(holds, within = minutes(10)) {
      const end = context.scheduler.now() + within;
      while (!holds(state)) {
        if (context.scheduler.now() >= end) {
          throw new Error(`still not so after ${within / 1000} s of virtual time: ${holds.toString()}`);
        }
        await cluster.step(end);
      }
    },
    settle: (quiet = seconds(40)) => settle(cluster, [...running.values()], ['lag', 'hold'], quiet),
    async [Symbol.asyncDispose]() {
      for (const process of running.values()) process.end();
      await context.server.close();
    },
  };
}
