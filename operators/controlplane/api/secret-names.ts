// SPDX-License-Identifier: Apache-2.0
import { secretNamesOf as keystoneSecretNamesOf } from '@forge/keystone/api/secret-names.ts';

/** Name of the Keystone of the ControlPlane of this name. */
export const keystoneNameOf = (name: string) => `${name}-keystone`;

/** Names of the Secrets that the operator makes for the ControlPlane of this name; each begins with it. */
export const secretNamesOf = (name: string) => ({
  /** Holds the value of the ApplicationCredential, which has the same name. */
  applicationCredential: `${name}-admin-app-credential`,
  /** Holds a clouds.yaml that logs in by password. */
  passwordCloud: `${name}-admin-password-cloud`,
});

/** Names of the Secrets that External Secrets makes for the ControlPlane where the database is managed. */
export const syncedSecretNamesOf = (name: string) => ({
  dbCredentials: `${keystoneNameOf(name)}-db-credentials`,
  adminPassword: `${keystoneNameOf(name)}-admin-credentials`,
});

/** Name of the Secret in which mariadb-operator keeps the root password of a MariaDB; it has no owner. */
export const rootPasswordOf = (mariadb: string) => `${mariadb}-root`;

/** Names of all Secrets that are made for a ControlPlane of this name, apart from clouds.yaml. */
export function madeSecretsOf(name: string, mariadb: string | undefined): string[] {
  const always = { ...secretNamesOf(name), ...keystoneSecretNamesOf(keystoneNameOf(name)) };
  if (mariadb === undefined) return Object.values(always);
  return [...Object.values({ ...always, ...syncedSecretNamesOf(name) }), rootPasswordOf(mariadb)];
}
