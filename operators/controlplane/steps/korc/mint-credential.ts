// SPDX-License-Identifier: Apache-2.0
import { IdentityError } from '@forge/openstack/identity-api.ts';
import { HttpError } from '@forge/runtime/http/http-error.ts';
import { failOnError } from '@forge/runtime/steps/fail-on-error.ts';
import { waiting } from '@forge/runtime/steps/outcome.ts';
import { korcReady as rows } from '../../contract/korc.ts';
import { credentialNameOf, credentialPrefixOf, identityAddressOf, namesOf } from '../../names.ts';
import { applicationCredential } from '../../objects/korc/application-credential.ts';
import { passwordHash } from '../../objects/password-hash.ts';
import { wasMinted } from '../../settings.ts';
import { judgeCredential } from './judge-credential.ts';
import type { Mint, MintContext, MintOutcome } from './mint-context.ts';

/**
 * Creates the ApplicationCredential, once Keystone answers and holds no other credential of this ControlPlane: K-ORC may have
 * been gone, or Keystone, when an earlier one was deleted.
 */
export async function mintCredential({ value }: Mint, context: MintContext): Promise<MintOutcome> {
  const { object: controlPlane, needs, create, log } = context;
  try {
    await revokeLeftovers(credentialNameOf(controlPlane, value.reveal()), context);
  } catch (error) {
    if (!(error instanceof HttpError) && !(error instanceof IdentityError)) throw error;
    log.info('the application credential is not minted yet', { error });
    const { applicationCredential: name } = namesOf(controlPlane);
    return waiting(wasMinted(controlPlane) ? rows.revoking({ name }) : rows.waiting({ name }));
  }
  const hash = passwordHash(needs.passwordCloud.password.reveal());
  const created = await failOnError(
    (error) => rows.credentialRefused({ error }),
    () => create(applicationCredential(controlPlane, { value, passwordHash: hash })),
  );
  return await judgeCredential(created, context);
}

/** Revokes what earlier credentials left in Keystone. One of the current name has the current secret: K-ORC adopts it. */
async function revokeLeftovers(current: string, context: MintContext): Promise<void> {
  const { object: controlPlane, needs, services, act, signal } = context;
  const { password } = needs.passwordCloud;
  const address = identityAddressOf(controlPlane);
  const prefix = credentialPrefixOf(controlPlane);
  for (const { id, name } of await services.identity.credentials(address, { password }, signal)) {
    if (!name.startsWith(prefix) || name === current) continue;
    const revoke = `revoke application credential ${name} at ${address.url}`;
    await act(revoke, ({ identity }) => identity.revoke(address, { password }, id, signal));
  }
}
