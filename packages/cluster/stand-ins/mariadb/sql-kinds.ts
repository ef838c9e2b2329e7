// SPDX-License-Identifier: Apache-2.0
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { refOf } from '@forge/kube/objects/object.ts';
import { Database, Grant, User } from '@forge/kube/third-party/mariadb.ts';
import { watch, type Controller } from '@forge/runtime/controller/controller.ts';
import { sqlController } from './sql-controller.ts';
import type { Account, Privileges, SqlServers } from './sql.ts';

/** Changes of Secrets with this label, whatever its value, enqueue the Users whose password they contain. */
const watchLabel = 'k8s.mariadb.com/watch';

/** Creates and drops databases. */
export function databaseController(servers: SqlServers): Controller {
  return sqlController(servers, {
    kind: Database,
    finalizer: 'database.k8s.mariadb.com/finalizer',
    async ensure(database, session) {
      const { characterSet = 'utf8', collate = 'utf8_general_ci' } = database.spec;
      await session.ensureDatabase({ name: databaseName(database), characterSet, collate });
    },
    cleanUp: (database, session) => session.dropDatabase(databaseName(database)),
  });
}

/** Creates and drops accounts, and applies their passwords. */
export function userController(servers: SqlServers): Controller {
  return sqlController(servers, {
    kind: User,
    finalizer: 'user.k8s.mariadb.com/finalizer',
    watches: [
      watch(
        Secret,
        ({ metadata }, { cache }) =>
          cache
            .list(User, { namespace: metadata.namespace })
            .filter(({ spec }) => spec.passwordSecretKeyRef?.name === metadata.name)
            .map(refOf),
        { labels: watchLabel },
      ),
    ],
    async ensure(user, session, { client }) {
      const { passwordSecretKeyRef: reference, maxUserConnections = 10 } = user.spec;
      if (reference === undefined) return await session.ensureUser(accountOf(user), { maxUserConnections });
      const ref = { namespace: user.metadata.namespace, name: reference.name ?? '' };
      const encoded = (await client.find(Secret, ref))?.data?.[reference.key];
      if (encoded === undefined) throw new Error(`Secret "${ref.name}" key "${reference.key}" not found`);
      const password = Buffer.from(encoded, 'base64').toString();
      await session.ensureUser(accountOf(user), { password, maxUserConnections });
    },
    cleanUp: (user, session) => session.dropUser(accountOf(user)),
  });
}

/** Grants and revokes privileges. */
export function grantController(servers: SqlServers): Controller {
  return sqlController(servers, {
    kind: Grant,
    finalizer: 'grant.k8s.mariadb.com/finalizer',
    watches: [
      watch(User, ({ metadata }, { cache }) =>
        cache
          .list(Grant, { namespace: metadata.namespace })
          .filter(({ spec }) => spec.username === metadata.name)
          .map(refOf),
      ),
    ],
    async ensure(grant, session) {
      const privileges = privilegesOf(grant);
      const { privileges: currentPrivileges } = grant.spec;
      const dropped = (grant.status?.currentPrivileges ?? []).filter((each) => !currentPrivileges.includes(each));
      if (dropped.length > 0) {
        await session.revoke(granteeOf(grant), { ...privileges, privileges: dropped, grantOption: false });
      }
      await session.grant(granteeOf(grant), privileges);
      return { currentPrivileges };
    },
    cleanUp: (grant, session) => session.revoke(granteeOf(grant), privilegesOf(grant)),
  });
}

function databaseName({ metadata, spec }: Database): string {
  return spec.name ?? metadata.name;
}

function accountOf({ metadata, spec }: User): Account {
  return { name: spec.name ?? metadata.name, host: spec.host ?? '%' };
}

function granteeOf({ spec }: Grant): Account {
  return { name: spec.username, host: spec.host ?? '%' };
}

function privilegesOf({ spec }: Grant): Privileges {
  const { privileges, database = '*', table = '*', grantOption = false } = spec;
  return { privileges, database, table, grantOption };
}
