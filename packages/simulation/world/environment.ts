// SPDX-License-Identifier: Apache-2.0
import { workloadControllers } from '@forge/cluster/controllers/controllers.ts';
import { paperNodeControllers } from '@forge/cluster/paper-node.ts';
import { externalSecrets } from '@forge/cluster/stand-ins/external-secrets/external-secrets.ts';
import { paperVault, type PaperVault } from '@forge/cluster/stand-ins/external-secrets/paper-vault.ts';
import { mariadbOperator } from '@forge/cluster/stand-ins/mariadb/mariadb.ts';
import { paperServers } from '@forge/cluster/stand-ins/mariadb/paper-server.ts';
import { paperSql, type PaperSql } from '@forge/cluster/stand-ins/mariadb/paper-sql.ts';
import { operatorProcess } from '../operator-process.ts';
import type { Process } from '../scenario.ts';
import { podScripts, type PodScripts } from './pod-scripts.ts';
import { healthy, standInProcess, type Condition } from './stand-in-process.ts';

/** The operators that are played. */
export type StandInName = 'external-secrets' | 'mariadb-operator';

/** Everything around the operators of a world, and the switches for what goes wrong with it. */
export interface Environment {
  /** The workload controllers with their node, and the stand-ins. */
  readonly processes: readonly Process[];
  readonly pods: PodScripts;
  /** What External Secrets reads and writes. */
  readonly vault: PaperVault;
  /** What mariadb-operator acts on. */
  readonly sql: PaperSql;
  /** How well each stand-in works. */
  readonly standIns: Readonly<Record<StandInName, Condition>>;
}

/** The node of every world. */
export const nodeName = 'paper';

/** What is around an operator: a cluster alone, or with these stand-ins; faults of a plan meet those that are not `reliable`. */
export function environment({
  standIns: played = [],
  reliable = true,
}: { standIns?: readonly StandInName[]; reliable?: boolean } = {}): Environment {
  const pods = podScripts();
  const vault = paperVault();
  const sql = paperSql();
  const standIns = { 'external-secrets': healthy(), 'mariadb-operator': healthy() };
  const processes: Record<StandInName, Process> = {
    'external-secrets': standInProcess(
      'external-secrets',
      ({ clock }) => externalSecrets(vault.reachedBy(clock)),
      standIns['external-secrets'],
      { reliable },
    ),
    'mariadb-operator': standInProcess(
      'mariadb-operator',
      ({ clock }) => mariadbOperator(sql.reachedBy(clock)),
      standIns['mariadb-operator'],
      { reliable, paper: [paperServers()] },
    ),
  };
  const cluster = operatorProcess('cluster', () => [
    ...workloadControllers(),
    ...paperNodeControllers(nodeName, (pod) => pods.fateOf(pod)),
  ]);
  return {
    processes: [{ ...cluster, reliable: true }, ...played.map((name) => processes[name])],
    pods,
    vault,
    sql,
    standIns,
  };
}
