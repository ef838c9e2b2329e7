// SPDX-License-Identifier: Apache-2.0
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { ready } from '@forge/runtime/steps/outcome.ts';
import { secretsReady } from '../contract/secrets.ts';
import { dbConnectionSecret, dbConnectionUrl } from '../objects/db-connection.ts';
import { step } from '../step.ts';
import { digestKey } from './digest-key.ts';
import { secrets } from './secrets.ts';

/** Derives the Secret from which every pod takes its connection URL. */
export const dbConnection = step({
  name: 'DBConnectionSecret',
  condition: 'SecretsReady',
  needs: { secrets, digestKey },
  owns: [Secret],
  async run({ object: keystone, needs, apply }) {
    const url = dbConnectionUrl(keystone, needs.secrets.database);
    await apply(dbConnectionSecret(keystone, url));
    return ready(secretsReady.available(), { output: { url, digest: url.digest(needs.digestKey.key) } });
  },
});
