// SPDX-License-Identifier: Apache-2.0
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { blocked, ready, waiting } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { secretsReady } from '../contract/secrets.ts';
import { databaseUserOf, dbConnectionOf, dbConnectionSecret } from '../objects/db-connection.ts';
import { digestKeyIn, digestKeySecret } from '../objects/digest-key.ts';
import { databasePasswordKey } from '../objects/secret-keys.ts';
import { step } from '../step.ts';
import { secrets } from './secrets.ts';

/**
 * Derives the Secret from which every pod takes its connection URL, and creates the key for digests of credentials once;
 * that is never rotated. When somebody deletes it, a new one is created and every digest changes: that costs one rollout
 * of the API pods, one run of each Job that carries a digest, and nothing else.
 */
export const dbConnection = step({
  name: 'DBConnectionSecret',
  condition: 'SecretsReady',
  needs: { secrets },
  owns: [owned(Secret, ['apply', 'create', 'replace'])],
  async run({ object: keystone, needs, apply, create, replace, random }) {
    const { database } = needs.secrets;
    const username = databaseUserOf(keystone, database.username);
    if (username === '' || database.password.bytes().length === 0) {
      const { name: secret, namespace = '' } = { ...keystone.metadata, ...keystone.spec.database.secretRef };
      const key = username === '' ? 'username' : databasePasswordKey(keystone);
      return waiting(secretsReady.noUpstreamCredentials({ namespace, secret, key }));
    }

    const keySecret = await create(digestKeySecret(keystone, random));
    const digestKey = digestKeyIn(keySecret);
    if (digestKey === undefined) return blocked(secretsReady.invalidDigestKey({ name: keySecret.metadata.name }));

    const connection = dbConnectionOf(keystone, { ...database, username });
    const { url, jobParameters, encodedPassword } = connection;
    const wanted = dbConnectionSecret(keystone, connection);
    const live = await apply(wanted);
    // Apply leaves the keys of others; this Secret holds the connection and nothing else.
    if (Object.keys(live.data ?? {}).length > Object.keys(wanted.data ?? {}).length) await replace(wanted);
    // What pods know and no condition may show.
    const known = [url, jobParameters, database.password, encodedPassword];
    return ready(secretsReady.available(), { output: { secrets: known, digest: url.digest(digestKey), digestKey } });
  },
});
