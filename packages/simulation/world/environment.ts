// SPDX-License-Identifier: Apache-2.0
import { workloadControllers } from '@forge/cluster/controllers/controllers.ts';
import { fakeNodeControllers } from '@forge/cluster/fake-node/fake-node.ts';
import { externalSecrets } from '@forge/cluster/stand-ins/external-secrets/external-secrets.ts';
import { fakeVault, type FakeVault } from '@forge/cluster/stand-ins/external-secrets/fake-vault.ts';
import { gatewayController, type JudgeRoute } from '@forge/cluster/stand-ins/gateway/gateway.ts';
import { fakeKeystones, type FakeKeystones } from '@forge/cluster/stand-ins/korc/fake-keystone.ts';
import { korc } from '@forge/cluster/stand-ins/korc/korc.ts';
import { fakeSql, type FakeSql } from '@forge/cluster/stand-ins/mariadb/fake-sql.ts';
import { mariadbOperator } from '@forge/cluster/stand-ins/mariadb/mariadb.ts';
import { memcachedOperator } from '@forge/cluster/stand-ins/memcached/memcached.ts';
import type { StandIn } from '@forge/cluster/stand-ins/stand-in.ts';
import { CronJob } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { systemClock } from '@forge/runtime/time/clock.ts';
import { operatorProcess } from '../scenario/operator-process.ts';
import type { ProcessContext, Process } from '../scenario/scenario.ts';
import { keystoneHttp } from './keystone-http.ts';
import { outsideCalls } from './outside-calls.ts';
import { podScripts, type PodScripts } from './pod-scripts.ts';
import { healthy, standInProcess, type Condition } from './stand-in-process.ts';

/** The operators that are played. */
export type StandInName = keyof Environment['standIns'];

/** All of them. */
export const standInNames = ['external-secrets', 'mariadb-operator', 'memcached-operator', 'gateway', 'korc'] as const;

/** Everything around the operators of a world, and the switches for what goes wrong with it. */
export interface Environment {
  /** The workload controllers with their node, and the stand-ins. */
  readonly processes: readonly Process[];
  /** The kinds that its stand-ins bring. */
  readonly kinds: readonly Kind[];
  readonly pods: PodScripts;
  /** What External Secrets reads and writes. */
  readonly vault: FakeVault;
  /** What mariadb-operator acts on. */
  readonly sql: FakeSql;
  /** What K-ORC acts on: the Keystones by their hosts. */
  readonly keystones: FakeKeystones;
  /** What Gateways do with routes, from their next change on. */
  readonly gateway: { judge: JudgeRoute };
  /** How well each stand-in works. */
  readonly standIns: Readonly<Record<(typeof standInNames)[number], Condition>>;
}

const nothing = () => Promise.reject(new Error('there is no server'));
const unreachable = { connect: nothing };

const kindsOf: Readonly<Record<StandInName, readonly Kind[]>> = {
  'external-secrets': externalSecrets(unreachable).kinds,
  'mariadb-operator': mariadbOperator(unreachable).kinds,
  'memcached-operator': memcachedOperator().kinds,
  gateway: gatewayController().kinds,
  korc: korc(() => ({ send: nothing }), systemClock).kinds,
};

/** The kinds that they bring. */
export const standInKinds: readonly Kind[] = Object.values(kindsOf).flat();

/** The node of every world. */
export const nodeName = 'fake';

/** How an environment is made. */
export interface EnvironmentOptions {
  /** The operators that are played. Default: none, a cluster alone. */
  standIns?: readonly StandInName[];
  /** Whether there are workload controllers and a node. Default: true. */
  workloads?: boolean;
  /** Whether faults of a plan pass the stand-ins by. Default: true. */
  reliable?: boolean;
  /** Whose systems hold what those of this one hold at first. Default: they hold nothing. */
  from?: Pick<Environment, 'vault' | 'sql' | 'keystones'>;
}

/** What is around an operator. */
export function environment({
  standIns: played = [],
  workloads = true,
  reliable = true,
  from,
}: EnvironmentOptions = {}): Environment {
  const pods = podScripts();
  const vault = from?.vault.fork() ?? fakeVault();
  const sql = from?.sql.fork() ?? fakeSql();
  const keystones = from?.keystones.fork() ?? fakeKeystones();
  const gateway: Environment['gateway'] = { judge: () => ({}) };
  const standIns = {
    'external-secrets': healthy(),
    'mariadb-operator': healthy(),
    'memcached-operator': healthy(),
    gateway: healthy(),
    korc: healthy(),
  };
  const players: Record<StandInName, (host: ProcessContext) => StandIn> = {
    'external-secrets': (host) => externalSecrets(reached(host, 'OpenBao', vault.reachedBy(host.clock))),
    'mariadb-operator': (host) => mariadbOperator(reached(host, 'MariaDB', sql.reachedBy(host.clock))),
    'memcached-operator': memcachedOperator,
    gateway: () => gatewayController((route, parent) => gateway.judge(route, parent)),
    korc: (host) => {
      const http = reliable ? keystones.reachedBy(host.clock) : keystoneHttp(host, keystones);
      return korc(() => http, host.clock);
    },
  };
  /** Sessions, too, wait for their turns where faults can meet them. */
  function reached<T extends { connect: unknown }>(host: ProcessContext, system: string, servers: T): T {
    if (reliable) return servers;
    return outsideCalls(host, system, servers, (session) => outsideCalls(host, system, session as object));
  }

  const processOf = (name: StandInName): Process => standInProcess(name, players[name], standIns[name], { reliable });
  const cluster = operatorProcess('cluster', () => [
    // Runs of CronJobs are played, by what the command of their pod does: see play-cron-job.ts.
    ...workloadControllers().filter((controller) => controller.for !== CronJob),
    ...fakeNodeControllers(nodeName, (pod) => pods.behaviorOf(pod)),
  ]);
  return {
    processes: [...(workloads ? [{ ...cluster, reliable: true }] : []), ...played.map(processOf)],
    kinds: played.flatMap((name) => kindsOf[name]),
    pods,
    vault,
    sql,
    keystones,
    gateway,
    standIns,
  };
}
