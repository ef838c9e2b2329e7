// SPDX-License-Identifier: Apache-2.0
import type { Duplex } from 'node:stream';
import type { Client } from '@forge/kube/client/client.ts';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import type { ObjectRef } from '@forge/kube/objects/object.ts';
import { MariaDB } from '@forge/kube/third-party/mariadb.ts';
import type { Clock } from '@forge/runtime/environment/clock.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { mysqlConnection, type MysqlConnection } from './mysql-connection.ts';
import { sqlSession } from './sql-session.ts';
import type { SqlServers } from './sql.ts';

/** The dependencies of connections over the cluster's network. */
interface NetworkSqlOptions {
  client: Client;
  clock: Clock;
  dial: (host: string, port: number, signal: AbortSignal) => Promise<Duplex>;
}

const deadline = seconds(10);

/** Connects to the servers of MariaDBs through their Services, as root. A session opens a connection for each call. */
export function networkSql(options: NetworkSqlOptions): SqlServers {
  return {
    async connect(ref) {
      const login = await loginOf(ref, options.client);
      const execute = (...statements: string[]) => inConnection(login, statements, options);
      await execute();
      return sqlSession(execute);
    },
  };
}

interface Login {
  host: string;
  port: number;
  password: string;
}

async function loginOf({ namespace, name }: ObjectRef, client: Client): Promise<Login> {
  const {
    rootEmptyPassword,
    rootPasswordSecretKeyRef: root,
    port = 3306,
  } = (await client.get(MariaDB, { namespace, name })).spec;
  const host = `${name}.${namespace}.svc.cluster.local`;
  if (rootEmptyPassword === true) return { host, port, password: '' };
  const secret = await client.find(Secret, { namespace, name: root?.name ?? '' });
  const password = secret?.data?.[root?.key ?? ''];
  if (password === undefined) throw new Error(`Secret ${root?.name} has no key ${root?.key} with the password of root`);
  return { host, port, password: Buffer.from(password, 'base64').toString() };
}

/** Executes the statements one by one in a new connection. */
async function inConnection(
  { host, port, password }: Login,
  statements: readonly string[],
  { clock, dial }: NetworkSqlOptions,
): Promise<void> {
  const expired = new AbortController();
  const cancel = clock.after(deadline, () =>
    expired.abort(new Error(`${host}:${port} did not answer within ${deadline / 1000} s`)),
  );
  let connection: MysqlConnection | undefined;
  try {
    const socket = await dial(host, port, expired.signal);
    expired.signal.addEventListener('abort', () => socket.destroy(expired.signal.reason as Error), { once: true });
    connection = await mysqlConnection(socket, { user: 'root', password });
    await connection.execute(`SET SESSION sql_mode = CONCAT(@@sql_mode, ',NO_BACKSLASH_ESCAPES')`);
    for (const statement of statements) await connection.execute(statement);
  } finally {
    cancel();
    connection?.close();
  }
}
