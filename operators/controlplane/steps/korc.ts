// SPDX-License-Identifier: Apache-2.0
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { ClusterSecretStore } from '@forge/kube/third-party/external-secrets.ts';
import { ApplicationCredential, User } from '@forge/kube/third-party/korc.ts';
import { readinessChanged } from '@forge/runtime/objects/ready-condition.ts';
import { failOnError } from '@forge/runtime/steps/fail-on-error.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { reads } from '@forge/runtime/steps/reads.ts';
import { touched } from '@forge/runtime/steps/touched.ts';
import { korcReady as rows } from '../contract/korc.ts';
import { namesOf } from '../names.ts';
import { childState } from '../objects/child-state.ts';
import { credentialSecret, newValue, valueIn, valueKey } from '../objects/credential/credential-secrets.ts';
import { fitsValue, keystonePlaceOf, placeAnnotations } from '../objects/korc/application-credential.ts';
import { concernsSecret } from '../objects/secret-changes.ts';
import { step } from '../step.ts';
import { keystone } from './keystone.ts';
import { withCurrentLogin } from './korc/current-login.ts';
import { imports } from './korc/imports.ts';
import { judgeCredential } from './korc/judge-credential.ts';
import type { Mint, MintContext } from './korc/mint-context.ts';
import { mintCredential } from './korc/mint-credential.ts';
import { passwordCloud } from './korc/password-cloud.ts';
import {
  deferReMint,
  isLostWithDatabase,
  isOfAnotherKeystone,
  isReMintAsked,
  isStoreReady,
  loginWith,
  notAsked,
  reMint,
  replaceCredential,
  revocation,
} from './korc/re-mint.ts';

/**
 * Mints the admin application credential, and another one when the password or what is asked of it changes.
 *
 * Guarantees: a credential is bound to its secret by its name in Keystone. A new secret is all that a re-mint writes down: a
 * credential that does not fit it is deleted, and one that is missing is created, whatever was interrupted before.
 */
export const korc = step({
  name: 'KORC',
  condition: 'KORCReady',
  needs: { keystone, passwordCloud, imports },
  owns: [owned(Secret, 'create', { predicate: concernsSecret }), owned(ApplicationCredential, ['create', 'remove'])],
  reads: [
    reads(ClusterSecretStore, (_, { secretStore }) => [secretStore], { predicate: readinessChanged }),
    reads(User, (controlPlane) => [namesOf(controlPlane).user]),
  ],
  touches: [touched(Secret, 'patch'), touched(ApplicationCredential, 'patch'), touched(User, 'delete')],
  writes: ['adminApplicationCredential'],
  async run(context) {
    const { object: controlPlane, get } = context;
    const mint = await ensuredValue(context);
    const { applicationCredential: name, passwordCloud: login } = namesOf(controlPlane);
    const found = get(ApplicationCredential, name);
    const live =
      found &&
      (await failOnError(
        (error) => rows.credentialRefused({ error }),
        async () => withKeystonePlace(await withCurrentLogin(ApplicationCredential, found, login, context), context),
      ));
    switch (childState(live, controlPlane)) {
      case 'absent':
      case 'foreign':
        return await mintCredential(mint, context);
      case 'leaving':
        return revocation(live, context);
      case 'own': {
        if (live === undefined) throw new TypeError('own and absent');
        const isDead = isOfAnotherKeystone(live, context) || (await isLostWithDatabase(live, mint, context));
        const isDeferred = !isDead && !isStoreReady(context);
        if (!fitsValue(live, controlPlane, mint.value))
          return isDeferred ? deferReMint(live, context) : await replaceCredential(live, context);
        const answer = isDead ? notAsked : await loginWith(live, mint, context);
        if (isDead || answer.result === 'refused') return await reMint(live, mint, context);
        if (!isReMintAsked(live, context)) return await judgeCredential(live, answer, context);
        return isDeferred ? deferReMint(live, context) : await reMint(live, mint, context);
      }
    }
  },
});

/** Notes the Keystone and the database of a credential that were not known when it was minted. */
async function withKeystonePlace(
  live: ApplicationCredential,
  { object: controlPlane, needs, patch }: MintContext,
): Promise<ApplicationCredential> {
  const { uid, database } = keystonePlaceOf(live);
  const annotations = placeAnnotations({
    ...(uid === undefined && { uid: needs.keystone.uid }),
    ...(database === undefined && { database: needs.keystone.database }),
  });
  if (Object.keys(annotations).length === 0 || childState(live, controlPlane) !== 'own') return live;
  return await patch(ApplicationCredential, live, { metadata: { annotations } });
}

/** The Secret with the value to mint with; never replaced as a whole, since it holds clouds.yaml, too. */
async function ensuredValue({ object: controlPlane, create, patch, random }: MintContext): Promise<Mint> {
  return await failOnError(
    (error) => rows.valueRefused({ error }),
    async () => {
      const secret = await create(credentialSecret(controlPlane, newValue(random)));
      const value = valueIn(secret, valueKey);
      if (value !== undefined) return { secret, value };
      const added = newValue(random);
      return {
        secret: await patch(Secret, secret, { data: { [valueKey]: added.base64() } }, { exact: true }),
        value: added,
      };
    },
  );
}
