// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { systemClock, type Clock } from '@forge/runtime/environment/clock.ts';
import { externalSecrets } from '../external-secrets/external-secrets.ts';
import type { Vaults } from '../external-secrets/vault.ts';
import { gatewayController, type DecideRoute } from '../gateway.ts';
import type { KeystoneHttp } from '../korc/identity.ts';
import { korc } from '../korc/korc.ts';
import { mariadbOperator } from '../mariadb/mariadb.ts';
import type { SqlServers } from '../mariadb/sql.ts';
import { memcachedOperator } from '../memcached.ts';
import type { StandIn } from '../stand-in.ts';

/** The external systems of stand-ins, and their clock. */
export interface Backends {
  readonly clock: Clock;
  readonly sqlServers: SqlServers;
  readonly vaults: Vaults;
  readonly keystones: KeystoneHttp;
  readonly decideRoute: DecideRoute;
}

/** A stand-in, as everything that lists stand-ins reads it. */
interface RegisteredStandIn {
  /** The operator that it replaces. */
  readonly replaces: string;
  /** What that operator does. */
  readonly job: string;
  /** The external system that it needs. */
  readonly backend: string;
  /** Only tests run it. Default: the local cluster runs it, too. */
  readonly testsOnly?: true;
  readonly create: (backends: Backends) => StandIn;
}

/** Every stand-in by its name, in the order in which `forge status` shows their kinds. */
export const standIns = {
  'mariadb-operator': {
    replaces: 'mariadb-operator',
    job: 'runs the database, and creates what Keystone needs in it',
    backend: 'SQL',
    create: ({ sqlServers }) => mariadbOperator(sqlServers),
  },
  'memcached-operator': {
    replaces: 'the Memcached operator',
    job: 'runs the cache',
    backend: 'none',
    create: memcachedOperator,
  },
  'external-secrets': {
    replaces: 'External Secrets',
    job: 'copies secrets from OpenBao into Secrets, and back',
    backend: 'KV version 2 over HTTPS',
    create: ({ vaults }) => externalSecrets(vaults),
  },
  korc: {
    replaces: 'K-ORC',
    job: 'turns objects into resources of Keystone',
    backend: "Keystone's API over HTTP",
    create: ({ keystones, clock }) => korc(keystones, clock),
  },
  gateway: {
    replaces: 'a Gateway controller',
    job: 'routes requests from outside the cluster to Keystone',
    backend: 'none: a script decides',
    testsOnly: true,
    create: ({ decideRoute }) => gatewayController(decideRoute),
  },
} satisfies Record<string, RegisteredStandIn>;

/** The name of a stand-in. */
export type StandInName = keyof typeof standIns;

/** The names of all. */
export const standInNames = Object.keys(standIns) as StandInName[];

/** The names of those that a local cluster runs. */
export const localStandIns: readonly StandInName[] = standInNames.filter((name) => !('testsOnly' in standIns[name]));

const unavailable = () => Promise.reject(new Error('there is no backend'));
const unreachable = { connect: unavailable };

/** The kinds of a stand-in. */
export function kindsOf(name: StandInName): readonly Kind[] {
  const none = { clock: systemClock, sqlServers: unreachable, vaults: unreachable };
  return standIns[name].create({ ...none, keystones: () => ({ send: unavailable }), decideRoute: () => ({}) }).kinds;
}
