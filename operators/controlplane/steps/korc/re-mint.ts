// SPDX-License-Identifier: Apache-2.0
// When a credential that fits its secret is replaced all the same (../korc.ts): asked for, minted in another Keystone, lost
// with its database, or refused twice. A re-mint stores a new secret first; from then on the old credential no longer fits.
// It is deferred while the secret store could not deliver the new one or Keystone does not answer.
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { ClusterSecretStore } from '@forge/kube/third-party/external-secrets.ts';
import { ApplicationCredential } from '@forge/kube/third-party/korc.ts';
import type { LoginResult } from '@forge/openstack/identity-api.ts';
import { milliseconds, minutes, type Duration } from '@forge/runtime/environment/duration.ts';
import { isReady } from '@forge/runtime/objects/ready-condition.ts';
import { failOnError } from '@forge/runtime/steps/fail-on-error.ts';
import { degraded, waiting } from '@forge/runtime/steps/outcome.ts';
import { identityAddressOf, namesOf } from '../../api/names.ts';
import { korcReady as cases } from '../../conditions/korc.ts';
import { newValue, valueKey } from '../../objects/credential/credential-secrets.ts';
import {
  hasDrifted,
  hasPasswordHash,
  keystonePlaceOf,
  placeAnnotations,
} from '../../objects/korc/application-credential.ts';
import { isAvailable, terminalError } from '../../objects/korc/korc-object.ts';
import { passwordHash } from '../../objects/password-hash.ts';
import { dropStaleImport } from './drop-stale-import.ts';
import { administratorNow, type Mint, type MintContext, type MintOutcome } from './mint-context.ts';

/** How long K-ORC has to revoke a credential before this is reported. */
export const stallTimeout = minutes(5);
/** How long a credential is kept at least, whatever Keystone answers to a login with it. */
export const shortestTerm = minutes(10);

/** Whether the password or the wanted credential differs from what it was minted with. */
export function isReMintAsked(live: ApplicationCredential, context: MintContext): boolean {
  return !isOfPassword(live, context) || hasDrifted(live, context.object);
}

/** Whether the credential was minted in a Keystone that is gone. */
export function isOfAnotherKeystone(live: ApplicationCredential, { needs }: MintContext): boolean {
  const { uid: minted } = keystonePlaceOf(live);
  return minted !== undefined && needs.keystone.uid !== undefined && minted !== needs.keystone.uid;
}

/** Whether Keystone accepts the credential, if it was asked; and when to ask again. */
export interface CredentialAnswer {
  readonly result?: LoginResult;
  readonly recheck: Duration;
}

/** For one that was minted in this pass. */
export const notAsked: CredentialAnswer = { recheck: shortestTerm };

/**
 * Whether the credential, which fits its secret, was lost because Keystone has a new database. A database that merely moved
 * still has it, and is recorded. `unknown` while Keystone does not answer.
 */
export async function lossWithDatabase(
  live: ApplicationCredential,
  { value }: Mint,
  { object: controlPlane, needs, services: { identity }, patch, signal }: MintContext,
): Promise<'lost' | 'kept' | 'unknown'> {
  const { database } = needs.keystone;
  const { database: minted } = keystonePlaceOf(live);
  if (minted === undefined || database === undefined || minted === database) return 'kept';
  const { id } = live.status ?? {};
  // There is nothing to lose, and K-ORC may be minting it for an administrator who is gone.
  if (id === undefined) return 'lost';
  const login = { id, secret: value };
  const { result } = await identity.recentLogIn(identityAddressOf(controlPlane), login, signal, database);
  if (result !== 'accepted') return result === 'refused' ? 'lost' : 'unknown';
  await failOnError(
    (error) => cases.credentialRefused({ error }),
    () => patch(ApplicationCredential, live, { metadata: { annotations: placeAnnotations({ database }) } }),
  );
  return 'kept';
}

/**
 * Whether Keystone accepts the credential, which fits its secret: K-ORC never checks again, and only a login shows that
 * Keystone has lost it. Refused means refused twice. A new credential is not tried yet, so that a persistent failure does not
 * mint one after the other.
 */
export async function loginWith(
  live: ApplicationCredential,
  { value }: Mint,
  { object: controlPlane, services: { identity }, clock, seenFor, signal }: MintContext,
): Promise<CredentialAnswer> {
  const { id } = live.status ?? {};
  const seen = seenFor(`credential ${id}`, true);
  if (id === undefined || !(isAvailable(live) || terminalError(live) !== undefined)) return notAsked;
  const minted = Date.parse(controlPlane.status?.adminApplicationCredential?.lastRotation ?? '');
  // Not recorded yet.
  if (Number.isNaN(minted)) return notAsked;
  // What this process has seen itself counts as well: its clock may be behind the one that wrote the time.
  const left = Math.min(minted + shortestTerm - clock.now(), shortestTerm - seen);
  if (left > 0) return { recheck: milliseconds(left) };
  const address = identityAddressOf(controlPlane);
  const login = { id, secret: value };
  const recent = await identity.recentLogIn(address, login, signal);
  if (recent.result !== 'refused') return recent;
  return { ...recent, result: await identity.logIn(address, login, signal) };
}

/** Whether a new credential could be delivered to its users. */
export function isStoreReady({ services: { secretStore }, get }: MintContext): boolean {
  return isReady(get(ClusterSecretStore, secretStore));
}

/** A credential that works is not revoked while its successor could not reach anybody. */
export function deferReMint(
  live: ApplicationCredential,
  { services: { secretStore: store } }: MintContext,
): MintOutcome {
  return degraded(cases.storeNotReady({ store }), { output: { credential: live } });
}

/** The suffix of the message when Keystone does not answer a login with the credential. */
export const notAnswered = 'Keystone does not answer a login with it';

/** A credential whose state is unknown is kept, and Keystone is asked again. */
export function awaitAnswer(live: ApplicationCredential): MintOutcome {
  return degraded(cases.waiting({ name: live.metadata.name }, notAnswered), { output: { credential: live } });
}

/** Stores a new secret, which is the whole decision, and deletes the credential of the old one. */
export async function reMint(
  live: ApplicationCredential,
  { secret }: Mint,
  context: MintContext,
): Promise<MintOutcome> {
  const { patch, random } = context;
  const { id: administrator, problem } = await administratorNow(context);
  if (administrator === undefined) return revocation(live, context, problem);
  await failOnError(
    (error) => cases.newValueRefused({ error }),
    () => patch(Secret, secret, { data: { [valueKey]: newValue(random).base64() } }, { exact: true }),
  );
  return await deleteCredential(live, administrator, context);
}

/** Deletes a credential of another secret, once K-ORC can revoke it. */
export async function replaceCredential(live: ApplicationCredential, context: MintContext): Promise<MintOutcome> {
  const { id: administrator, problem } = await administratorNow(context);
  if (administrator === undefined) return revocation(live, context, problem);
  return await deleteCredential(live, administrator, context);
}

/** With the import of an administrator that no longer exists: each of the two would wait for the other. */
async function deleteCredential(
  live: ApplicationCredential,
  administrator: string,
  context: MintContext,
): Promise<MintOutcome> {
  await failOnError(
    (error) => cases.deletionRefused({ error }),
    () => context.remove(ApplicationCredential, live),
  );
  await dropStaleImport(administrator, context);
  return waiting((isOfPassword(live, context) ? cases.revoking : cases.reMinting)({ name: live.metadata.name }));
}

/** Whether the credential was minted with the current password, and no new one was requested. */
function isOfPassword(live: ApplicationCredential, { needs }: MintContext): boolean {
  return hasPasswordHash(live, passwordHash(needs.passwordCloud.password.reveal()));
}

/** Waits until the credential is revoked, however long that takes. */
export function revocation(
  live: ApplicationCredential,
  { object: controlPlane, clock }: Pick<MintContext, 'object' | 'clock'>,
  problem?: string,
): MintOutcome {
  const { applicationCredential: name } = namesOf(controlPlane);
  const deleted = Date.parse(live.metadata.deletionTimestamp ?? '');
  const isStalled = clock.now() - deleted > stallTimeout;
  return waiting((isStalled ? cases.stalled : cases.revoking)({ name }, problem));
}
