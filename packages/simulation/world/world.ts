// SPDX-License-Identifier: Apache-2.0
import { inProcessTransport } from '@forge/apiserver/wire/in-process-transport.ts';
import { client } from '@forge/kube/client/client.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { minutes, seconds, type Duration } from '@forge/runtime/environment/duration.ts';
import type { Delay, Fault } from '../faults/fault-plan.ts';
import { faultyTransport } from '../process/faulty-transport.ts';
import { processRun } from '../process/process-run.ts';
import { simulatedProcess, type SimulatedProcess } from '../process/simulated-process.ts';
import { clusterState, type ClusterState } from '../scenario/cluster-state.ts';
import type { PreparedCluster, Process, StepControl } from '../scenario/scenario.ts';
import { environment as defaultEnvironment, type Environment } from './environment.ts';
import { prepareCluster } from './prepare-cluster.ts';
import { simulatedCluster, Violation, type SimulatedCluster } from './simulated-cluster.ts';

/** Options of a world. */
export interface WorldOptions {
  /** Determines the order of concurrent operations. Default: 1. */
  seed?: number;
  /** The faults to inject. Default: none. */
  faults?: readonly Fault[];
  /** A prepared cluster to fork. Default: one with a node and these kinds. */
  from?: PreparedCluster;
  /**
   * Kinds of the operators, besides those of the stand-ins; a prepared cluster must already have its kinds. Default:
   * none.
   */
  kinds?: readonly Kind[];
  /** The environment of the operators. Default: workload controllers with their node. */
  environment?: Environment;
  /** The operators, and other processes. */
  processes?: readonly Process[];
}

/** A whole cluster on a virtual clock; the same seed gives the same run. */
export interface World
  extends Omit<SimulatedCluster, 'settle'>, Omit<StepControl, 'process' | 'processes'>, AsyncDisposable {
  readonly environment: Environment;
  readonly processes: readonly SimulatedProcess[];
  readonly process: (name: string) => SimulatedProcess;
  /** Advances until this holds; throws when it does not `within` this time, ten minutes by default. */
  until(holds: (state: ClusterState) => boolean, within?: Duration): Promise<void>;
  /**
   * Advances until nothing was written for this long, 40 seconds by default, including after the events delayed in these
   * ways, all by default.
   */
  settle(settleTime?: Duration, delays?: readonly Delay[]): Promise<void>;
}

// Longer than the retry delays of watches and reconciles, and than a leader election.
const defaultSettleTime = seconds(40);

/** Creates a world whose processes have just started; nothing happens until the caller advances it. */
export async function world(options: WorldOptions = {}): Promise<World> {
  const { seed = 1, faults = [], environment = defaultEnvironment(), processes = [], kinds = [] } = options;
  const from = options.from ?? (await prepareCluster({ kinds: [...environment.kinds, ...kinds] }));
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
    clock: context.clock,
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
          throw new Error(`condition not met after ${within / 1000} s of virtual time: ${holds.toString()}`);
        }
        await cluster.step(end);
      }
    },
    async settle(settleTime = defaultSettleTime, delays = ['lag', 'hold']) {
      const each = [...running.values()];
      let isSettled = await cluster.settle(settleTime);
      // Effects of late events may be delayed as well.
      while (each.map((process) => process.release(delays)).includes(true)) {
        context.effects.usersContinued ||= !delays.includes('hold');
        isSettled = await cluster.settle(settleTime);
      }
      // A process may keep acting on outdated state while events are held back.
      if (!isSettled && !each.some(({ hasHeldEvents }) => hasHeldEvents)) throw new Violation('never settles');
    },
    async [Symbol.asyncDispose]() {
      for (const process of running.values()) process.end();
      await context.server.close();
    },
  };
}
