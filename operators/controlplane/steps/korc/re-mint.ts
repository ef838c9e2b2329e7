// SPDX-License-Identifier: Apache-2.0
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { ApplicationCredential } from '@forge/kube/third-party/korc.ts';
import { failOnError } from '@forge/runtime/steps/fail-on-error.ts';
import { waiting } from '@forge/runtime/steps/outcome.ts';
import { minutes } from '@forge/runtime/time/duration.ts';
import { korcReady as rows } from '../../contract/korc.ts';
import { identityAddressOf, namesOf } from '../../names.ts';
import { newValue, valueKey } from '../../objects/credential/credential-secrets.ts';
import { hasDrifted, hasPasswordHash } from '../../objects/korc/application-credential.ts';
import { isAvailable } from '../../objects/korc/korc-object.ts';
import { passwordHash } from '../../objects/password-hash.ts';
import { keystoneAnswers, type Mint, type MintContext, type MintOutcome } from './mint-context.ts';

const stallTimeout = minutes(5);
const shortestTerm = minutes(10);

/** Whether another credential must take the place of this one, which fits its secret. */
export async function isReMintDue(live: ApplicationCredential, mint: Mint, context: MintContext): Promise<boolean> {
  const { object: controlPlane, needs } = context;
  const hash = passwordHash(needs.passwordCloud.password.reveal());
  return (
    !hasPasswordHash(live, hash) || hasDrifted(live, controlPlane) || (await isGoneInKeystone(live, mint, context))
  );
}

/** K-ORC never looks again: only a login tells that Keystone has lost the credential. Two refusals, while the password works. */
async function isGoneInKeystone(live: ApplicationCredential, { value }: Mint, context: MintContext): Promise<boolean> {
  const { object: controlPlane, services, clock, signal } = context;
  const { id } = live.status ?? {};
  if (id === undefined || !isAvailable(live)) return false;
  const minted = Date.parse(controlPlane.status?.adminApplicationCredential?.lastRotation ?? '');
  // NaN: not written down yet.
  if (!(clock.now() - minted >= shortestTerm)) return false;
  const address = identityAddressOf(controlPlane);
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    if ((await services.identity.logIn(address, { id, secret: value }, signal)) !== 'refused') return false;
  }
  return await keystoneAnswers(context);
}

/** Writes down a new secret, which is all of the decision, and deletes the credential of the old one. */
export async function reMint(
  live: ApplicationCredential,
  { secret }: Mint,
  context: MintContext,
): Promise<MintOutcome> {
  const { patch, random } = context;
  if (!(await keystoneAnswers(context))) return revocation(live, context);
  await failOnError(
    (error) => rows.newValueRefused({ error }),
    () => patch(Secret, secret, { data: { [valueKey]: newValue(random).base64() } }, { exact: true }),
  );
  return await deleteCredential(live, context);
}

/** Deletes a credential of another secret, once K-ORC can revoke it. */
export async function replaceCredential(live: ApplicationCredential, context: MintContext): Promise<MintOutcome> {
  return (await keystoneAnswers(context)) ? await deleteCredential(live, context) : revocation(live, context);
}

async function deleteCredential(live: ApplicationCredential, { remove }: MintContext): Promise<MintOutcome> {
  await failOnError(
    (error) => rows.deletionRefused({ error }),
    () => remove(ApplicationCredential, live),
  );
  return waiting(rows.reMinting({ name: live.metadata.name }));
}

/** A credential that is about to be revoked is awaited, however long that takes. */
export function revocation(
  live: ApplicationCredential | undefined,
  { object: controlPlane, clock }: Pick<MintContext, 'object' | 'clock'>,
): MintOutcome {
  const { applicationCredential: name } = namesOf(controlPlane);
  const deleted = Date.parse(live?.metadata.deletionTimestamp ?? '');
  return waiting(clock.now() - deleted > stallTimeout ? rows.stalled({ name }) : rows.revoking({ name }));
}
