// SPDX-License-Identifier: Apache-2.0
// The database password must reach every pod and appear in no file and no ConfigMap. keystone.conf therefore holds a
// placeholder only; the connection goes into a Secret of its own, pods take it from there as an environment variable, and
// oslo.config lays that over the placeholder. Jobs get the account apart from the URL, since db_sync prints a URL that it
// cannot parse.
//
// Pods read the variable only when they start. A digest of the URL, keyed so that it gives nothing away, is an annotation on
// them: a new password changes the digest, and the digest rolls the pods. The key is created once and never rotated. When
// somebody deletes it, all digests change, which costs one rollout and one run of each Job that carries a digest. A key that
// somebody made unusable blocks the step; credentials that are missing or empty are waited for.
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { blocked, ready, waiting } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { secretsReady } from '../conditions/secrets.ts';
import { databaseUserOf, dbConnectionOf, dbConnectionSecret } from '../objects/db-connection.ts';
import { digestKeyIn, digestKeySecret } from '../objects/digest-key.ts';
import { databasePasswordKey } from '../objects/secret-keys.ts';
import { secrets } from './secrets.ts';
import { step } from './step.ts';

/** Derives the Secret from which every pod takes its connection, and creates the key for digests of credentials. */
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
