// SPDX-License-Identifier: Apache-2.0
import { Database, Grant, MariaDB, User } from '@forge/kube/third-party/mariadb.ts';
import { milliseconds, seconds } from '@forge/runtime/environment/duration.ts';
import type { StandIn } from '../stand-in.ts';
import { writingAs } from '../writing-as.ts';
import { mariadbController } from './mariadb-controller.ts';
import { databaseController, grantController, userController } from './sql-kinds.ts';
import type { SqlServers } from './sql.ts';

/** Emulates mariadb-operator, with servers that `servers` connects to. */
export function mariadbOperator(servers: SqlServers): StandIn {
  return {
    name: 'mariadb-operator',
    kinds: [MariaDB, Database, User, Grant],
    controllers: writingAs('mariadb-operator', [
      mariadbController,
      databaseController(servers),
      userController(servers),
      grantController(servers),
    ]),
    backoff: { base: milliseconds(5), cap: seconds(1000) },
  };
}
