// SPDX-License-Identifier: Apache-2.0
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { blocked, ready } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { secretsReady } from '../contract/secrets.ts';
import { digestKeyIn, digestKeySecret } from '../objects/digest-key.ts';
import { step } from '../step.ts';
import { secrets } from './secrets.ts';

/**
 * Creates the key for digests of credentials once; it is never rotated. When somebody deletes it, a new one is created
 * and every digest changes: that costs one rollout of the API pods and one bootstrap, and nothing else.
 */
export const digestKey = step({
  name: 'DigestKey',
  condition: 'SecretsReady',
  needs: { secrets },
  owns: [owned(Secret, 'create')],
  async run({ object: keystone, create, random }) {
    const secret = await create(digestKeySecret(keystone, random));
    const key = digestKeyIn(secret);
    if (key === undefined) {
      const { name } = secret.metadata;
      return blocked(secretsReady.invalidDigestKey({ name }));
    }
    return ready(secretsReady.available(), { output: { key } });
  },
});
