// SPDX-License-Identifier: Apache-2.0
// The admin application credential is what everybody logs in with; K-ORC mints it in Keystone with the admin password. A
// mint cannot be made atomic: its secret is a Secret here, the credential is in Keystone, and either may be lost or
// replaced.
//
// So one fact decides. The name of the credential in Keystone is made from its secret: a credential that does not fit the
// Secret is deleted, one that is missing is created. A re-mint only writes a new secret; everything else follows from it, so
// that the next pass finishes what was interrupted.
//
// A credential that works is not given up lightly: not while the secret store could not deliver its successor, and not
// because Keystone fails to answer. It is replaced when the password or its settings in the spec changed, when its Keystone
// or database was replaced, or when Keystone refused a login with it twice.
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { ApplicationCredential, User } from '@forge/kube/third-party/korc.ts';
import { secretStoreRead } from '@forge/openstack/secret-store.ts';
import { failOnError } from '@forge/runtime/steps/fail-on-error.ts';
import { modified } from '@forge/runtime/steps/modified.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { reads } from '@forge/runtime/steps/reads.ts';
import { namesOf } from '../api/names.ts';
import { korcReady as cases } from '../conditions/korc.ts';
import { childState } from '../objects/child-state.ts';
import { credentialSecret, newValue, valueIn, valueKey } from '../objects/credential/credential-secrets.ts';
import { fitsValue, keystonePlaceOf, placeAnnotations } from '../objects/korc/application-credential.ts';
import { secretPredicate } from '../objects/secret-changes.ts';
import { imports } from './imports.ts';
import { keystone } from './keystone.ts';
import { withCurrentLogin } from './korc/current-login.ts';
import type { Mint, MintContext } from './korc/mint-context.ts';
import { mintCredential } from './korc/mint-credential.ts';
import { observeCredential } from './korc/observe-credential.ts';
import {
  awaitAnswer,
  deferReMint,
  isOfAnotherKeystone,
  isReMintAsked,
  isStoreReady,
  loginWith,
  lossWithDatabase,
  notAsked,
  reMint,
  replaceCredential,
  revocation,
} from './korc/re-mint.ts';
import { passwordCloud } from './password-cloud.ts';
import { step } from './step.ts';

/** Mints the admin application credential, and another one when the password or what is asked of it changes. */
export const korc = step({
  name: 'KORC',
  condition: 'KORCReady',
  needs: { keystone, passwordCloud, imports },
  owns: [owned(Secret, 'create', { predicate: secretPredicate }), owned(ApplicationCredential, ['create', 'remove'])],
  reads: [secretStoreRead, reads(User, (controlPlane) => [namesOf(controlPlane).user])],
  modifies: [modified(Secret, 'patch'), modified(ApplicationCredential, 'patch'), modified(User, 'delete')],
  writes: ['adminApplicationCredential'],
  async run(context) {
    const { object: controlPlane, get } = context;
    const mint = await ensuredValue(context);
    const { applicationCredential: name, passwordCloud: login } = namesOf(controlPlane);
    const found = get(ApplicationCredential, name);
    const live =
      found &&
      (await failOnError(
        (error) => cases.credentialRefused({ error }),
        async () => withKeystonePlace(await withCurrentLogin(ApplicationCredential, found, login, context), context),
      ));
    if (live === undefined) return await mintCredential(mint, context);
    switch (childState(live, controlPlane)) {
      case 'unowned':
        return await mintCredential(mint, context);
      case 'terminating':
        return revocation(live, context);
      case 'own': {
        const isOfAnother = isOfAnotherKeystone(live, context);
        const isDeferred = !isStoreReady(context);
        if (!fitsValue(live, controlPlane, mint.value))
          return isDeferred && !isOfAnother ? deferReMint(live, context) : await replaceCredential(live, context);
        const loss = isOfAnother ? 'lost' : await lossWithDatabase(live, mint, context);
        if (loss === 'unknown') return awaitAnswer(live);
        const isDead = loss === 'lost';
        const answer = isDead ? notAsked : await loginWith(live, mint, context);
        if (isDead || answer.result === 'refused') return await reMint(live, mint, context);
        if (!isReMintAsked(live, context)) return await observeCredential(live, answer, context);
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
    (error) => cases.valueRefused({ error }),
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
