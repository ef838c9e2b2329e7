// SPDX-License-Identifier: Apache-2.0
import type { Secret } from '@forge/kube/kinds/builtin.ts';
import { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import type { Keystone } from '../api/keystone.ts';
import { commonLabels, namesOf } from '../api/names.ts';
import { databaseHostOf, databasePortOf } from './backends.ts';

/** Keys of the derived Secret. */
export const connectionKeys = {
  url: 'connection',
  jobUrl: 'job-connection',
  jobParameters: 'job-connection-parameters',
} as const;

/** A database account. */
export interface Account {
  username: string;
  password: SecretValue;
}

/** How processes of Keystone reach the database. */
export interface DbConnection {
  /** The URL, with the account, for the API. */
  url: SecretValue;
  /** The URL without the account, and the account as parameters of a connection, for Jobs. */
  jobUrl: SecretValue;
  jobParameters: SecretValue;
  /** The password as it is written in both. */
  encodedPassword: SecretValue;
}

/** The derived Secret from which pods take their connection. */
export function dbConnectionSecret(
  keystone: Keystone,
  { url, jobUrl, jobParameters }: Pick<DbConnection, keyof typeof connectionKeys>,
): Secret {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: namesOf(keystone).dbConnection, labels: commonLabels(keystone) },
    type: 'Opaque',
    data: {
      [connectionKeys.url]: url.base64(),
      [connectionKeys.jobUrl]: jobUrl.base64(),
      [connectionKeys.jobParameters]: jobParameters.base64(),
    },
  };
}

/** The database account's name: mariadb-operator creates it under the Keystone's own, elsewhere it is the user's choice. */
export function databaseUserOf({ metadata, spec }: Keystone, username: string): string {
  return spec.database.clusterRef === undefined ? username : metadata.name;
}

/**
 * The connection of every Keystone process. Jobs have the account apart from the URL: `keystone-manage db_sync` fails on a
 * URL with an escaped character, and prints it.
 */
export function dbConnectionOf(keystone: Keystone, account: Account): DbConnection {
  const [user, password] = [percentEncoded(account.username), percentEncoded(account.password.reveal())];
  const path = percentEncoded(keystone.spec.database.database);
  const server = `${databaseHostOf(keystone)}:${databasePortOf(keystone)}/${path}?charset=utf8`;
  return {
    url: new SecretValue(`mysql+pymysql://${user}:${password}@${server}`),
    jobUrl: new SecretValue(`mysql+pymysql://${server}`),
    jobParameters: new SecretValue(`user=${user}&password=${password}`),
    encodedPassword: new SecretValue(password),
  };
}

/** Every byte but RFC 3986's unreserved ones is escaped: oslo.config would substitute a bare `$`. */
function percentEncoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
