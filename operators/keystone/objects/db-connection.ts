// SPDX-License-Identifier: Apache-2.0
import type { Secret } from '@forge/kube/kinds/builtin.ts';
import { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import type { Keystone } from '../keystone.ts';
import { commonLabels, namesOf } from '../names.ts';
import { databaseHostOf, databasePortOf } from './backends.ts';

/** A database account. */
export interface Account {
  username: string;
  password: SecretValue;
}

/** The derived Secret whose only key is the connection URL. */
export function dbConnectionSecret(keystone: Keystone, url: SecretValue): Secret {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: namesOf(keystone).dbConnection, labels: commonLabels(keystone) },
    type: 'Opaque',
    data: { connection: url.base64() },
  };
}

/** The database account's name: mariadb-operator creates it under the Keystone's own, elsewhere it is the user's choice. */
export function databaseUserOf({ metadata, spec }: Keystone, username: string): string {
  return spec.database.clusterRef === undefined ? username : metadata.name;
}

/** The URL under which every Keystone process reaches its database. */
export function dbConnectionUrl(keystone: Keystone, account: Account): SecretValue {
  const user = `${percentEncoded(account.username)}:${percentEncoded(account.password.reveal())}`;
  const path = percentEncoded(keystone.spec.database.database);
  const server = `${databaseHostOf(keystone)}:${databasePortOf(keystone)}`;
  return new SecretValue(`mysql+pymysql://${user}@${server}/${path}?charset=utf8`);
}

/** Every byte but RFC 3986's unreserved ones is escaped: oslo.config would substitute a bare `$`. */
function percentEncoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
