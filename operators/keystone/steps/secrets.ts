// SPDX-License-Identifier: Apache-2.0
import { Secret } from '@forge/kube/builtin.ts';
import { seconds } from '@forge/runtime/duration.ts';
import { SecretValue } from '@forge/runtime/secret-value.ts';
import { ready, waiting } from '@forge/runtime/steps/outcome.ts';
import { reads } from '@forge/runtime/steps/reads.ts';
import { step } from '../keystone.ts';
import { adminPasswordKey, databasePasswordKey } from '../objects/secret-keys.ts';

const recheck = seconds(15);

/** The gate: no key, no pod and no Job for a Keystone without credentials. */
export const secrets = step({
  name: 'Secrets',
  condition: 'SecretsReady',
  reads: [reads(Secret, ({ spec }) => [spec.database.secretRef.name, spec.bootstrap.adminPasswordSecretRef.name])],
  async run({ object: keystone, get }) {
    const { database, bootstrap } = keystone.spec;
    if (database.clusterRef !== undefined) {
      const store = 'ClusterSecretStore "openbao-cluster-store" is not ready; upstream secret backend unreachable';
      return waiting('SecretStoreNotReady', store, recheck);
    }

    const account = get(Secret, database.secretRef.name);
    if (account === undefined) {
      return waiting('WaitingForDBCredentials', 'Waiting for ESO to sync database credentials from OpenBao', recheck);
    }
    const username = account.data?.['username'];
    const password = account.data?.[databasePasswordKey(keystone)];
    if (username === undefined || password === undefined) {
      const missing = 'Database credentials Secret exists but is missing expected keys';
      return waiting('WaitingForDBCredentials', missing, recheck);
    }

    const admin = get(Secret, bootstrap.adminPasswordSecretRef.name);
    if (admin === undefined) {
      return waiting('WaitingForAdminCredentials', 'Waiting for ESO to sync admin credentials from OpenBao', recheck);
    }
    const adminPassword = admin.data?.[adminPasswordKey(keystone)];
    if (adminPassword === undefined) {
      const missing = 'Admin credentials Secret exists but is missing expected keys';
      return waiting('WaitingForAdminCredentials', missing, recheck);
    }

    const output = {
      database: { username: SecretValue.fromBase64(username).reveal(), password: SecretValue.fromBase64(password) },
      adminPassword: SecretValue.fromBase64(adminPassword),
    };
    return ready('SecretsAvailable', '', { output });
  },
});
