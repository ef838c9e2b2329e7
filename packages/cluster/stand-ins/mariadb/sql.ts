// SPDX-License-Identifier: Apache-2.0
import type { ObjectRef } from '@forge/kube/objects/object.ts';

/** An account of a server. */
export interface Account {
  name: string;
  host: string;
}

/** Privileges of an account on a database and table. */
export interface Privileges {
  privileges: readonly string[];
  database: string;
  table: string;
  grantOption: boolean;
}

/** A session of root on a server. */
export interface SqlSession {
  /** Creates the database unless it exists; an existing one is never altered. */
  ensureDatabase(database: { name: string; characterSet: string; collate: string }): Promise<void>;
  dropDatabase(name: string): Promise<void>;
  /** Creates the account, or sets its password again; without a password it is locked. */
  ensureUser(account: Account, options: { password?: string; maxUserConnections: number }): Promise<void>;
  dropUser(account: Account): Promise<void>;
  /** Throws when there is no such account. */
  grant(account: Account, privileges: Privileges): Promise<void>;
  /** Does nothing when there is no such account or no such grant. */
  revoke(account: Account, privileges: Privileges): Promise<void>;
}

/** Connects to the servers of MariaDBs: the only external effect of this stand-in. */
export interface SqlServers {
  /** Throws when the server cannot be reached. */
  connect(mariadb: ObjectRef): Promise<SqlSession>;
}
