// SPDX-License-Identifier: Apache-2.0
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { fieldOf } from '@forge/kube/objects/json.ts';
import { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import { ready, waiting } from '@forge/runtime/steps/outcome.ts';
import { reads } from '@forge/runtime/steps/reads.ts';
import { secretsReady } from '../contract/secrets.ts';
import { adminPasswordKey, databasePasswordKey } from '../objects/secret-keys.ts';
import { step } from '../step.ts';

/** The gate: no key, no pod and no Job for a Keystone without credentials. */
export const secrets = step({
  name: 'Secrets',
  condition: 'SecretsReady',
  reads: [reads(Secret, ({ spec }) => [spec.database.secretRef.name, spec.bootstrap.adminPasswordSecretRef.name])],
  async run({ object: keystone, get }) {
    const { database, bootstrap } = keystone.spec;
    if (database.clusterRef !== undefined) {
      return waiting(secretsReady.storeNotReady({ store: 'openbao-cluster-store' }));
    }

    const account = get(Secret, database.secretRef.name);
    if (account === undefined) return waiting(secretsReady.noDatabaseCredentials());
    const username = account.data?.['username'];
    const password = fieldOf(account.data ?? {}, databasePasswordKey(keystone));
    if (username === undefined || password === undefined) return waiting(secretsReady.incompleteDatabaseCredentials());

    const admin = get(Secret, bootstrap.adminPasswordSecretRef.name);
    if (admin === undefined) return waiting(secretsReady.noAdminCredentials());
    const adminPassword = fieldOf(admin.data ?? {}, adminPasswordKey(keystone));
    if (adminPassword === undefined) return waiting(secretsReady.incompleteAdminCredentials());

    const output = {
      database: { username: SecretValue.fromBase64(username).reveal(), password: SecretValue.fromBase64(password) },
      adminPassword: SecretValue.fromBase64(adminPassword),
    };
    return ready(secretsReady.available(), { output });
  },
});
