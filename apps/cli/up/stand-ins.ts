// SPDX-License-Identifier: Apache-2.0
import { networkVaults } from '@forge/cluster/stand-ins/external-secrets/network-vault.ts';
import { networkSql } from '@forge/cluster/stand-ins/mariadb/network-sql.ts';
import {
  localStandIns,
  standIns,
  type Backends,
  type StandInName,
} from '@forge/cluster/stand-ins/register/stand-ins.ts';
import { startStandIn } from '@forge/cluster/stand-ins/start-stand-in.ts';
import type { Client } from '@forge/kube/client/client.ts';
import type { Clock } from '@forge/runtime/environment/clock.ts';
import type { Random } from '@forge/runtime/environment/random.ts';
import type { Dial } from '@forge/runtime/http/dial.ts';
import { httpClient } from '@forge/runtime/http/http-client.ts';
import type { Logger } from '@forge/runtime/observability/logger.ts';
import { CliError } from '../terminal/cli-error.ts';
import { exitCodes } from '../terminal/exit-code.ts';

/** The connections of stand-ins to the cluster. */
interface StandInOptions {
  client: Client;
  clock: Clock;
  random: Random;
  log: Logger;
  dial: Dial;
}

/** The names of the stand-ins that a local cluster runs. */
export const standInNames: readonly StandInName[] = localStandIns.toSorted();

/** The external systems, in the network of the cluster. */
function networkBackends(options: StandInOptions): Backends {
  const { clock, dial } = options;
  return {
    clock,
    vaults: networkVaults(options),
    sqlServers: networkSql(options),
    keystones: (ca) => httpClient({ clock, dial, ...(ca !== undefined && { ca }) }),
    decideRoute: () => ({}),
  };
}

/** The names in a comma-separated list; throws for an unknown name. */
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
  return standInNames.some((each) => each === name);
}

/** The stand-ins of a cluster; each can be stopped and started again, like the operator that it emulates. */
export interface RunningStandIns extends AsyncDisposable {
  /** Installs its kinds and runs its controllers. */
  start(name: StandInName): Promise<void>;
  /** Stops its controllers; kinds and objects stay. */
  stop(name: StandInName): Promise<void>;
}

/** Stand-ins with these connections, none of them running yet. */
export function standInsOf(optionsOf: (name: StandInName) => StandInOptions): RunningStandIns {
  const running = new Map<StandInName, AsyncDisposable>();
  const stop = async (name: StandInName) => {
    await running.get(name)?.[Symbol.asyncDispose]();
    running.delete(name);
  };
  return {
    async start(name) {
      const options = optionsOf(name);
      running.set(name, await startStandIn(standIns[name].create(networkBackends(options)), options));
    },
    stop,
    async [Symbol.asyncDispose]() {
      await Promise.all([...running.keys()].map(stop));
    },
  };
}
