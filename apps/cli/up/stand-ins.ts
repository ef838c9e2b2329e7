// SPDX-License-Identifier: Apache-2.0
import { externalSecrets } from '@forge/cluster/stand-ins/external-secrets/external-secrets.ts';
import { networkVaults } from '@forge/cluster/stand-ins/external-secrets/network-vault.ts';
import { korc } from '@forge/cluster/stand-ins/korc/korc.ts';
import { mariadbOperator } from '@forge/cluster/stand-ins/mariadb/mariadb.ts';
import { networkSql } from '@forge/cluster/stand-ins/mariadb/network-sql.ts';
import { memcachedOperator } from '@forge/cluster/stand-ins/memcached/memcached.ts';
import type { StandIn } from '@forge/cluster/stand-ins/stand-in.ts';
import { startStandIn } from '@forge/cluster/stand-ins/start-stand-in.ts';
import type { Client } from '@forge/kube/client/client.ts';
import type { Dial } from '@forge/runtime/http/dial.ts';
import { httpClient } from '@forge/runtime/http/http-client.ts';
import type { Logger } from '@forge/runtime/logging/logger.ts';
import type { Random } from '@forge/runtime/random/random.ts';
import type { Clock } from '@forge/runtime/time/clock.ts';
import { CliError } from '../terminal/cli-error.ts';
import { exitCodes } from '../terminal/exit-code.ts';

/** What stand-ins reach the cluster with. */
interface StandInOptions {
  client: Client;
  clock: Clock;
  random: Random;
  log: Logger;
  dial: Dial;
}

/** The stand-ins for operators of others that a local cluster runs, by name. */
const standIns = {
  'external-secrets': (options: StandInOptions) => externalSecrets(networkVaults(options)),
  korc: ({ clock, dial }: StandInOptions) =>
    korc((ca) => httpClient({ clock, dial, ...(ca !== undefined && { ca }) }), clock),
  'mariadb-operator': (options: StandInOptions) => mariadbOperator(networkSql(options)),
  'memcached-operator': memcachedOperator,
} satisfies Record<string, (options: StandInOptions) => StandIn>;

export type StandInName = keyof typeof standIns;

/** Their names. */
export const standInNames = Object.keys(standIns) as StandInName[];

/** The names in a comma-separated list; throws on one that is no stand-in's. */
export function parseStandInNames(list: string | undefined): Set<StandInName> {
  if (list === undefined) return new Set();
  const names = list.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !isStandIn(name));
  if (unknown !== undefined) {
    const known = standInNames.join(', ');
    throw new CliError(
      `--without-stand-ins: there is no stand-in "${unknown}". The stand-ins are ${known}.`,
      exitCodes.usage.code,
    );
  }
  return new Set(names.filter(isStandIn));
}

function isStandIn(name: string): name is StandInName {
  return Object.hasOwn(standIns, name);
}

/** The stand-ins of a cluster; each can be stopped and started again, as the operator that it plays. */
export interface RunningStandIns extends AsyncDisposable {
  /** Installs its kinds and runs its controllers. */
  start(name: StandInName): Promise<void>;
  /** Stops its controllers; kinds and objects stay. */
  stop(name: StandInName): Promise<void>;
}

/** Stand-ins that reach the cluster so; none runs yet. */
export function standInsOf(optionsOf: (name: StandInName) => StandInOptions): RunningStandIns {
  const running = new Map<StandInName, AsyncDisposable>();
  const stop = async (name: StandInName) => {
    await running.get(name)?.[Symbol.asyncDispose]();
    running.delete(name);
  };
  return {
    async start(name) {
      const options = optionsOf(name);
      running.set(name, await startStandIn(standIns[name](options), options));
    },
    stop,
    async [Symbol.asyncDispose]() {
      await Promise.all([...running.keys()].map(stop));
    },
  };
}
