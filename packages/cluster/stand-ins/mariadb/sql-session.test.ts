// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SqlError } from './mysql-connection.ts';
import { sqlSession } from './sql-session.ts';

/** A session that records its statements; they fail with this error, if any. */
function recorded(error?: Error) {
  const statements: string[] = [];
  const session = sqlSession(async (...executed) => {
    statements.push(...executed);
    if (error !== undefined) throw error;
  });
  return { session, statements };
}

const account = { name: "o'ne's", host: '10.%' };
const privileges = { privileges: ['SELECT', 'CREATE VIEW'], database: 'key_stone%', table: '*', grantOption: true };

describe('a session of root', () => {
  test('quotes names and passwords, and escapes every quote in them', async () => {
    const { session, statements } = recorded();
    await session.ensureDatabase({ name: 'a`b`c', characterSet: 'utf8', collate: 'utf8_general_ci' });
    await session.dropDatabase('a`b`c');
    await session.ensureUser(account, { password: `'x'\\`, maxUserConnections: 7 });
    await session.dropUser(account);
    assert.deepEqual(statements, [
      "CREATE DATABASE IF NOT EXISTS `a``b``c` CHARACTER SET 'utf8' COLLATE 'utf8_general_ci'",
      'DROP DATABASE IF EXISTS `a``b``c`',
      `CREATE USER IF NOT EXISTS 'o''ne''s'@'10.%' IDENTIFIED BY '''x''\\'`,
      `ALTER USER 'o''ne''s'@'10.%' IDENTIFIED BY '''x''\\' WITH MAX_USER_CONNECTIONS 7 ACCOUNT UNLOCK`,
      "DROP USER IF EXISTS 'o''ne''s'@'10.%'",
    ]);
  });

  test('locks an account without a password', async () => {
    const { session, statements } = recorded();
    await session.ensureUser({ name: 'a', host: '%' }, { maxUserConnections: 10 });
    assert.deepEqual(statements, [
      "CREATE USER IF NOT EXISTS 'a'@'%'",
      "ALTER USER 'a'@'%' WITH MAX_USER_CONNECTIONS 10 ACCOUNT LOCK",
    ]);
  });

  test('grants only on this database, without patterns in its name, and revokes the same', async () => {
    const { session, statements } = recorded();
    await session.grant(account, privileges);
    await session.revoke(account, privileges);
    await session.grant(account, { ...privileges, database: '*', grantOption: false });
    await session.grant(account, { ...privileges, table: 'a_b', grantOption: false });
    assert.deepEqual(statements, [
      "GRANT SELECT, CREATE VIEW ON `key\\_stone\\%`.* TO 'o''ne''s'@'10.%' WITH GRANT OPTION",
      "REVOKE SELECT, CREATE VIEW, GRANT OPTION ON `key\\_stone\\%`.* FROM 'o''ne''s'@'10.%'",
      "GRANT SELECT, CREATE VIEW ON *.* TO 'o''ne''s'@'10.%'",
      "GRANT SELECT, CREATE VIEW ON `key\\_stone\\%`.`a_b` TO 'o''ne''s'@'10.%'",
    ]);
  });

  test('refuses a privilege that does not consist of words', async () => {
    const { session, statements } = recorded();
    const forged = { ...privileges, privileges: ['SELECT', 'ALL ON *.* TO me; --'] };
    await assert.rejects(session.grant(account, forged), /"ALL ON \*\.\* TO me; --" is not a privilege/);
    assert.deepEqual(statements, []);
  });

  test('ignores a missing account or grant in a REVOKE, but no other errors', async () => {
    for (const code of [1133, 1141, 1147, 1269]) {
      await recorded(new SqlError(code, '42000', 'gone')).session.revoke(account, privileges);
    }
    const denied = recorded(new SqlError(1045, '28000', 'Access denied'));
    await assert.rejects(denied.session.revoke(account, privileges), /Error 1045 \(28000\): Access denied/);
  });
});
