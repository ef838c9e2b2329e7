// SPDX-License-Identifier: Apache-2.0
import type { ObjectRef } from '@forge/kube/objects/object.ts';
import { sleep, type Clock } from '@forge/runtime/environment/clock.ts';
import { now, type Duration } from '@forge/runtime/environment/duration.ts';
import type { Account, Privileges, SqlServers, SqlSession } from './sql.ts';

/** SQL servers in memory, one per MariaDB; their content is retained when the MariaDB is deleted, like its volumes. */
export interface FakeSql {
  /** The error of every connection; undefined when connections succeed. */
  unreachable: string | undefined;
  /** How long each statement takes. */
  latency: Duration;
  /** The error of a statement such as `CREATE DATABASE keystone`; undefined when it succeeds. */
  fails: (statement: string) => string | undefined;
  /** The executed statements, oldest first. */
  readonly statements: readonly string[];
  /** The connections of one process, on that process's clock. */
  reachedBy(clock: Clock): SqlServers;
  /** The server of a MariaDB. */
  server(mariadb: ObjectRef): FakeServer;
  /** Copies of all servers, which are reachable. */
  fork(): FakeSql;
}

/** The content of one server; accounts and grants by `name@host`. */
interface FakeServer {
  readonly databases: Map<string, { characterSet: string; collate: string }>;
  readonly users: Map<string, { password: string | undefined; maxUserConnections: number }>;
  /** Privileges by account and `database.table`. */
  readonly grants: Map<string, Map<string, readonly string[]>>;
}

/** Empty servers. */
export function fakeSql(): FakeSql {
  return sqlOf(new Map());
}

function sqlOf(servers: Map<string, FakeServer>): FakeSql {
  const statements: string[] = [];

  function server({ namespace = '', name }: ObjectRef): FakeServer {
    const key = `${namespace}/${name}`;
    const known = servers.get(key) ?? { databases: new Map(), users: new Map(), grants: new Map() };
    servers.set(key, known);
    return known;
  }

  async function execute(clock: Clock, statement: string): Promise<void> {
    if (sql.latency > now) await sleep(clock, sql.latency);
    statements.push(statement);
    const failure = sql.unreachable ?? sql.fails(statement);
    if (failure !== undefined) throw new Error(failure);
  }

  const sql: FakeSql = {
    unreachable: undefined,
    latency: now,
    fails: () => undefined,
    statements,
    server,
    fork: () => sqlOf(new Map([...servers].map(([key, held]) => [key, copyOf(held)]))),
    reachedBy: (clock) => ({
      async connect(mariadb) {
        if (sql.latency > now) await sleep(clock, sql.latency);
        if (sql.unreachable !== undefined) throw new Error(sql.unreachable);
        return session(server(mariadb), (statement) => execute(clock, statement));
      },
    }),
  };
  return sql;
}

function copyOf({ databases, users, grants }: FakeServer): FakeServer {
  const copied = [...grants].map(([account, privileges]) => [account, new Map(privileges)] as const);
  return { databases: new Map(databases), users: new Map(users), grants: new Map(copied) };
}

function session({ databases, users, grants }: FakeServer, execute: (statement: string) => Promise<void>): SqlSession {
  return {
    async ensureDatabase({ name, ...options }) {
      if (databases.has(name)) return;
      await execute(`CREATE DATABASE ${name}`);
      databases.set(name, options);
    },
    async dropDatabase(name) {
      await execute(`DROP DATABASE IF EXISTS ${name}`);
      databases.delete(name);
    },
    async ensureUser(account, { password, maxUserConnections }) {
      const user = textOf(account);
      await execute(`${users.has(user) ? 'ALTER' : 'CREATE'} USER ${user}`);
      users.set(user, { password, maxUserConnections });
    },
    async dropUser(account) {
      await execute(`DROP USER IF EXISTS ${textOf(account)}`);
      users.delete(textOf(account));
      grants.delete(textOf(account));
    },
    async grant(account, privileges) {
      const user = textOf(account);
      const option = privileges.grantOption ? ' WITH GRANT OPTION' : '';
      await execute(`GRANT ${privileges.privileges.join(', ')} ON ${placeOf(privileges)} TO ${user}${option}`);
      if (!users.has(user)) throw new Error(`Error 1133 (28000): Can't find any matching row in the user table`);
      const held = grants.get(user) ?? new Map<string, readonly string[]>();
      grants.set(user, held.set(placeOf(privileges), privileges.privileges));
    },
    async revoke(account, privileges) {
      const user = textOf(account);
      if (!users.has(user)) return;
      await execute(`REVOKE ${privileges.privileges.join(', ')} ON ${placeOf(privileges)} FROM ${user}`);
      grants.get(user)?.delete(placeOf(privileges));
    },
  };
}

function textOf({ name, host }: Account): string {
  return `${name}@${host}`;
}

function placeOf({ database, table }: Privileges): string {
  return `${database}.${table}`;
}
