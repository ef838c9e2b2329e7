// SPDX-License-Identifier: Apache-2.0
import { workloadControllers } from '@forge/cluster/controllers/controllers.ts';
import { fakeNodeControllers } from '@forge/cluster/fake-node/fake-node.ts';
import { fakeVault, type FakeVault } from '@forge/cluster/stand-ins/external-secrets/fake-vault.ts';
import type { DecideRoute } from '@forge/cluster/stand-ins/gateway.ts';
import { fakeKeystones, type FakeKeystones } from '@forge/cluster/stand-ins/korc/fake-keystone.ts';
import { fakeSql, type FakeSql } from '@forge/cluster/stand-ins/mariadb/fake-sql.ts';
import {
  kindsOf,
  standInNames,
  standIns as registered,
  type Backends,
  type StandInName,
} from '@forge/cluster/stand-ins/register/stand-ins.ts';
import { CronJob } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { now, seconds } from '@forge/runtime/environment/duration.ts';
import { openbaoPods, type OpenBaoPods } from '../openbao/openbao-pods.ts';
import { operatorProcess } from '../scenario/operator-process.ts';
import type { ProcessContext, Process } from '../scenario/scenario.ts';
import { fakeBucket, type FakeBucket } from './fake-bucket.ts';
import { keystoneHttp } from './keystone-http.ts';
import { outsideCalls } from './outside-calls.ts';
import { podScripts, type PodScripts } from './pod-scripts.ts';
import { healthy, standInProcess, type Condition } from './stand-in-process.ts';

/** Everything around the operators of a world, with settings to make parts of it fail. */
export interface Environment {
  /** The workload controllers with their node, and the stand-ins. */
  readonly processes: readonly Process[];
  /** The kinds of its stand-ins. */
  readonly kinds: readonly Kind[];
  readonly pods: PodScripts;
  /** The backend of External Secrets. */
  readonly vault: FakeVault;
  /** The backend of mariadb-operator. */
  readonly sql: FakeSql;
  /** The backends of K-ORC: Keystones by host. */
  readonly keystones: FakeKeystones;
  /** The servers in pods with an image of OpenBao. */
  readonly openbao: OpenBaoPods;
  /** The bucket of an S3 server. */
  readonly bucket: FakeBucket;
  /** How Gateways accept routes; applies from the next change of a route. */
  readonly gateway: { decide: DecideRoute };
  /** The delay and failure of each stand-in. */
  readonly standIns: Readonly<Record<StandInName, Condition>>;
}

/** The kinds of all stand-ins. */
export const standInKinds: readonly Kind[] = standInNames.flatMap(kindsOf);

/** The node of every world. */
export const nodeName = 'fake';

/** Options of an environment. */
export interface EnvironmentOptions {
  /** The stand-ins to run. Default: none. */
  standIns?: readonly StandInName[];
  /** Whether there are workload controllers and a node. Default: true. */
  workloads?: boolean;
  /** Whether servers run in pods with an image of OpenBao. Default: false. */
  openbao?: boolean;
  /** Whether stand-ins are exempt from the faults of a plan. Default: true. */
  reliable?: boolean;
  /** The environment whose external state is copied. Default: none, the external systems are empty. */
  from?: Pick<Environment, 'vault' | 'sql' | 'keystones' | 'openbao' | 'bucket'>;
}

/** Creates the environment of an operator. */
export function environment({
  standIns: names = [],
  workloads = true,
  openbao: hasOpenBao = false,
  reliable = true,
  from,
}: EnvironmentOptions = {}): Environment {
  const pods = podScripts();
  const vault = from?.vault.fork() ?? fakeVault();
  const sql = from?.sql.fork() ?? fakeSql();
  const keystones = from?.keystones.fork() ?? fakeKeystones();
  const openbao = from?.openbao.fork() ?? openbaoPods();
  const bucket = from?.bucket.fork() ?? fakeBucket();
  if (hasOpenBao) {
    pods.add({ image: /\bopenbao\/openbao:/ }, (pod) => ({
      ready: openbao.isUnsealed(pod) ? now : 'never',
      terminationDelay: seconds(1),
    }));
  }
  const gateway: Environment['gateway'] = { decide: () => ({}) };
  const standIns = Object.fromEntries(standInNames.map((name) => [name, healthy()])) as Environment['standIns'];
  const backendsOf = (host: ProcessContext): Backends => {
    const http = reliable ? keystones.reachedBy(host.clock) : keystoneHttp(host, keystones);
    return {
      clock: host.clock,
      vaults: reached(host, 'OpenBao', vault.reachedBy(host.clock)),
      sqlServers: reached(host, 'MariaDB', sql.reachedBy(host.clock)),
      keystones: () => http,
      decideRoute: (route, parent) => gateway.decide(route, parent),
    };
  };
  /** Calls in sessions are also scheduled, unless the stand-ins are exempt from faults. */
  function reached<T extends { connect: unknown }>(host: ProcessContext, system: string, servers: T): T {
    if (reliable) return servers;
    return outsideCalls(host, system, servers, (session) => outsideCalls(host, system, session as object));
  }

  const processOf = (name: StandInName): Process =>
    standInProcess(name, (host) => registered[name].create(backendsOf(host)), standIns[name], { reliable });
  const cluster = operatorProcess('cluster', () => [
    // CronJobs do not run by themselves: see play-cron-job.ts.
    ...workloadControllers().filter((controller) => controller.for !== CronJob),
    ...fakeNodeControllers(nodeName, (pod) => pods.behaviorOf(pod)),
  ]);
  return {
    processes: [
      ...(workloads ? [{ ...cluster, reliable: true }] : []),
      ...(hasOpenBao ? [openbao.process] : []),
      ...names.map(processOf),
    ],
    kinds: names.flatMap(kindsOf),
    pods,
    vault,
    sql,
    keystones,
    openbao,
    bucket,
    gateway,
    standIns,
  };
}
