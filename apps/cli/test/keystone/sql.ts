// SPDX-License-Identifier: Apache-2.0
import { mysqlConnection, SqlError } from '@forge/cluster/stand-ins/mariadb/mysql-connection.ts';
import { networkSql } from '@forge/cluster/stand-ins/mariadb/network-sql.ts';
import type { SqlSession } from '@forge/cluster/stand-ins/mariadb/sql.ts';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { systemClock as clock } from '@forge/runtime/environment/clock.ts';
import { decoded } from '@forge/testing/programs/decoded.ts';
import type { LocalKeystones } from './local-keystones.ts';

/** A root session on the MariaDB of a namespace. */
export function rootSession({ client, dial }: LocalKeystones, namespace: string): Promise<SqlSession> {
  return networkSql({ client, clock, dial }).connect({ namespace, name: 'mariadb' });
}

/** Which of a database and an account of this name exist on the MariaDB of a namespace. */
export async function existing(cluster: LocalKeystones, namespace: string, name: string): Promise<string[]> {
  const { password = '' } = decoded(await cluster.client.get(Secret, { namespace, name: 'mariadb-root' }));
  const socket = await cluster.dial(`mariadb.${namespace}.svc.cluster.local`, 3306);
  const connection = await mysqlConnection(socket, { user: 'root', password });
  const tables = {
    database: `information_schema.schemata WHERE schema_name = '${name}'`,
    account: `mysql.global_priv WHERE user = '${name}'`,
    grant: `mysql.db WHERE user = '${name}'`,
  };
  const found: string[] = [];
  try {
    for (const [what, rows] of Object.entries(tables)) {
      // The connection cannot read rows: an error reports that there are some.
      const ifAny = `IF EXISTS (SELECT 1 FROM ${rows}) THEN SIGNAL SQLSTATE '45000'; END IF`;
      await connection.execute(`BEGIN NOT ATOMIC ${ifAny}; END`).catch((error: unknown) => {
        if (!(error instanceof SqlError)) throw error;
        found.push(what);
      });
    }
  } finally {
    connection.close();
  }
  return found;
}
