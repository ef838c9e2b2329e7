// SPDX-License-Identifier: Apache-2.0
import { SqlError } from './mysql-connection.ts';
import type { Account, Privileges, SqlSession } from './sql.ts';

/** Errors of a REVOKE without effect: no such account, no such grant. */
const nothingToRevoke = new Set([1133, 1141, 1147, 1269]);

/** A session whose statements are executed by `execute`, several in one connection. */
export function sqlSession(execute: (...statements: string[]) => Promise<void>): SqlSession {
  return {
    ensureDatabase: ({ name, characterSet, collate }) =>
      execute(
        `CREATE DATABASE IF NOT EXISTS ${identifier(name)} CHARACTER SET ${text(characterSet)} COLLATE ${text(collate)}`,
      ),
    dropDatabase: (name) => execute(`DROP DATABASE IF EXISTS ${identifier(name)}`),
    async ensureUser(account, { password, maxUserConnections }) {
      const user = userOf(account);
      const identified = password === undefined ? '' : ` IDENTIFIED BY ${text(password)}`;
      const lock = password === undefined ? 'LOCK' : 'UNLOCK';
      const limit = `WITH MAX_USER_CONNECTIONS ${Math.trunc(maxUserConnections)}`;
      await execute(
        `CREATE USER IF NOT EXISTS ${user}${identified}`,
        `ALTER USER ${user}${identified} ${limit} ACCOUNT ${lock}`,
      );
    },
    dropUser: (account) => execute(`DROP USER IF EXISTS ${userOf(account)}`),
    async grant(account, privileges) {
      const option = privileges.grantOption ? ' WITH GRANT OPTION' : '';
      await execute(`GRANT ${listOf(privileges)} ON ${placeOf(privileges)} TO ${userOf(account)}${option}`);
    },
    async revoke(account, privileges) {
      const option = privileges.grantOption ? ', GRANT OPTION' : '';
      try {
        await execute(`REVOKE ${listOf(privileges)}${option} ON ${placeOf(privileges)} FROM ${userOf(account)}`);
      } catch (error) {
        if (!(error instanceof SqlError) || !nothingToRevoke.has(error.code)) throw error;
      }
    },
  };
}

function userOf({ name, host }: Account): string {
  return `${text(name)}@${text(host)}`;
}

function placeOf({ database, table }: Privileges): string {
  // In a grant, an underscore in the database's name would match any character.
  const inDatabase = database === '*' ? '*' : identifier(database.replaceAll(/[_%\\]/g, '\\$&'));
  return `${inDatabase}.${table === '*' ? '*' : identifier(table)}`;
}

/** Privileges consist of words, and are not quoted. */
function listOf({ privileges }: Privileges): string {
  const invalid = privileges.find((privilege) => !/^[A-Za-z ]+$/.test(privilege));
  if (invalid !== undefined) throw new Error(`${JSON.stringify(invalid)} is not a privilege`);
  return privileges.join(', ');
}

function identifier(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}

/** With NO_BACKSLASH_ESCAPES, only quotes need escaping. */
function text(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
