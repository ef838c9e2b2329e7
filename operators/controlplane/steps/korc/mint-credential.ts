// SPDX-License-Identifier: Apache-2.0
import { User } from '@forge/kube/third-party/korc.ts';
import { IdentityError } from '@forge/openstack/identity-api.ts';
import { HttpError } from '@forge/runtime/http/http-error.ts';
import { failOnError } from '@forge/runtime/steps/fail-on-error.ts';
import { waiting } from '@forge/runtime/steps/outcome.ts';
import { credentialNameOf, namesOf } from '../../api/names.ts';
import { wasMinted } from '../../api/settings.ts';
import { korcReady as cases } from '../../conditions/korc.ts';
import { applicationCredential } from '../../objects/korc/application-credential.ts';
import { passwordHash } from '../../objects/password-hash.ts';
import { dropStaleImport } from './drop-stale-import.ts';
import { problemOf, type Mint, type MintContext, type MintOutcome } from './mint-context.ts';
import { observeCredential } from './observe-credential.ts';
import { notAsked } from './re-mint.ts';
import { revokeLeftovers } from './revoke-leftovers.ts';

/**
 * Creates the ApplicationCredential once Keystone answers and has no other credential of this ControlPlane: K-ORC or Keystone
 * may have been down when an earlier one was deleted.
 */
export async function mintCredential({ value }: Mint, context: MintContext): Promise<MintOutcome> {
  const { object: controlPlane, needs, get, create, log } = context;
  const { applicationCredential: name, user } = namesOf(controlPlane);
  const notYet = (problem: string | undefined) =>
    waiting((wasMinted(controlPlane) ? cases.revoking : cases.waiting)({ name }, problem));
  if (needs.passwordCloud.problem !== undefined) return notYet(needs.passwordCloud.problem);
  let administrator: string;
  try {
    // One of the current name has the current secret: K-ORC adopts it.
    const keep = credentialNameOf(controlPlane, value.reveal());
    administrator = await revokeLeftovers(context, { password: needs.passwordCloud.password, keep });
  } catch (error) {
    if (!(error instanceof HttpError) && !(error instanceof IdentityError)) throw error;
    log.info('the application credential is not minted yet', { error });
    return notYet(problemOf(error));
  }
  // It must be gone first, whoever deleted it: K-ORC would guard it for the new credential, which would then be replaced
  // because of it.
  const isTerminating = get(User, user)?.metadata.deletionTimestamp !== undefined;
  if ((await dropStaleImport(administrator, context)) || isTerminating)
    return waiting(cases.waitingForImport({ name, kind: 'User', import: user }));
  const hash = passwordHash(needs.passwordCloud.password.reveal());
  const created = await failOnError(
    (error) => cases.credentialRefused({ error }),
    () => create(applicationCredential(controlPlane, { value, passwordHash: hash, keystone: needs.keystone })),
  );
  return await observeCredential(created, notAsked, context);
}
