// SPDX-License-Identifier: Apache-2.0
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { fieldOf } from '@forge/kube/objects/json.ts';
import { ClusterSecretStore, ExternalSecret } from '@forge/kube/third-party/external-secrets.ts';
import { secretStoreRead } from '@forge/openstack/secret-store.ts';
import type { Statement } from '@forge/runtime/conditions/cases.ts';
import { isReady } from '@forge/runtime/objects/ready-condition.ts';
import { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import { degraded, ready, waiting } from '@forge/runtime/steps/outcome.ts';
import { reads } from '@forge/runtime/steps/reads.ts';
import type { Keystone } from '../api/keystone.ts';
import { secretsReady } from '../conditions/secrets.ts';
import type { Account } from '../objects/db-connection.ts';
import { adminPasswordKey, databasePasswordKey } from '../objects/secret-keys.ts';
import { hasSyncedSchema } from '../objects/synced-schema.ts';
import { step } from './step.ts';

/** A Secret that the Keystone names, who syncs it, if anybody does, and the credentials in it. */
interface Source<C> {
  secret: Secret | undefined;
  external: ExternalSecret | undefined;
  credentials: C | undefined;
}

const secretNames = ({ spec }: Keystone) => [spec.database.secretRef.name, spec.bootstrap.adminPasswordSecretRef.name];

/**
 * The gate: a Keystone without credentials gets no keys, no pods and no Jobs. Once its schema exists, it needs nothing more
 * from the secret store: while that is down, the condition shows it and the other steps continue with the Secrets as they are.
 */
export const secrets = step({
  name: 'Secrets',
  condition: 'SecretsReady',
  reads: [secretStoreRead, reads(ExternalSecret, secretNames), reads(Secret, secretNames)],
  async run({ object: keystone, services: { secretStore }, get }) {
    const { spec } = keystone;
    const sourceOf = <C>(name: string, read: (data: Record<string, string>) => C | undefined): Source<C> => {
      const secret = get(Secret, name);
      return { secret, external: get(ExternalSecret, name), credentials: secret && read(secret.data ?? {}) };
    };
    const database = sourceOf(spec.database.secretRef.name, (data) => accountIn(data, keystone));
    const admin = sourceOf(spec.bootstrap.adminPasswordSecretRef.name, (data) => adminPasswordIn(data, keystone));
    const store = { name: secretStore, isReady: isReady(get(ClusterSecretStore, secretStore)) };
    const problem = problemOf(keystone, { database, admin, store });
    if (database.credentials === undefined || admin.credentials === undefined) {
      return waiting(problem ?? secretsReady.incompleteAdminCredentials());
    }
    const output = { database: database.credentials, adminPassword: admin.credentials };
    if (problem === undefined) return ready(secretsReady.available(), { output });
    return hasSyncedSchema(keystone) ? degraded(problem, { output }) : waiting(problem);
  },
});

/** Why the credentials are missing or outdated. The store is checked first: for an hour, its outage shows nowhere else. */
function problemOf(
  { spec }: Keystone,
  {
    database,
    admin,
    store,
  }: { database: Source<Account>; admin: Source<SecretValue>; store: { name: string; isReady: boolean } },
): Statement | undefined {
  const isManaged = spec.database.clusterRef !== undefined;
  const isSynced = ({ secret, external }: Source<unknown>) =>
    secret !== undefined && (external === undefined ? !isManaged : isReady(external));
  const asksStore = isManaged || database.external !== undefined || admin.external !== undefined;
  if (asksStore && !store.isReady) return secretsReady.storeNotReady({ store: store.name });
  if (!isSynced(database)) return secretsReady.noDatabaseCredentials();
  if (database.credentials === undefined) return secretsReady.incompleteDatabaseCredentials();
  if (!isSynced(admin)) return secretsReady.noAdminCredentials();
  return undefined;
}

function accountIn(data: Record<string, string>, keystone: Keystone): Account | undefined {
  const username = fieldOf(data, 'username');
  const password = fieldOf(data, databasePasswordKey(keystone));
  if (username === undefined || password === undefined) return undefined;
  return { username: SecretValue.fromBase64(username).reveal(), password: SecretValue.fromBase64(password) };
}

function adminPasswordIn(data: Record<string, string>, keystone: Keystone): SecretValue | undefined {
  const password = fieldOf(data, adminPasswordKey(keystone));
  return password === undefined || password === '' ? undefined : SecretValue.fromBase64(password);
}
