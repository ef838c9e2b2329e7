// SPDX-License-Identifier: Apache-2.0
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { ClusterSecretStore } from '@forge/kube/third-party/external-secrets.ts';
import { ApplicationCredential } from '@forge/kube/third-party/korc.ts';
import type { LoginResult } from '@forge/openstack/identity-api.ts';
import { loginRecheck } from '@forge/openstack/remembered-logins.ts';
import { isReady } from '@forge/runtime/objects/ready-condition.ts';
import { failOnError } from '@forge/runtime/steps/fail-on-error.ts';
import { degraded, waiting } from '@forge/runtime/steps/outcome.ts';
import { milliseconds, minutes, type Duration } from '@forge/runtime/time/duration.ts';
import { korcReady as rows } from '../../contract/korc.ts';
import { identityAddressOf, namesOf } from '../../names.ts';
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

const stallTimeout = minutes(5);
const shortestTerm = minutes(10);

/** Whether the password, or what is asked of the credential, is another than it was minted with. */
export function isReMintAsked(live: ApplicationCredential, context: MintContext): boolean {
  return !isOfPassword(live, context) || hasDrifted(live, context.object);
}

/** Whether the credential was minted in a Keystone that is gone. */
export function isOfAnotherKeystone(live: ApplicationCredential, { needs }: MintContext): boolean {
  const { uid: minted } = keystonePlaceOf(live);
  return minted !== undefined && needs.keystone.uid !== undefined && minted !== needs.keystone.uid;
}

/** How Keystone answers to the credential, unless it was not asked; and when to ask again. */
export interface CredentialAnswer {
  readonly result?: LoginResult;
  readonly recheck: Duration;
}

/** Of one that was not minted before this pass. */
export const notAsked: CredentialAnswer = { recheck: shortestTerm };

/**
 * Whether Keystone has another database by now, which does not hold the credential: somebody deleted the former one. A database
 * that merely moved holds it, and is noted.
 */
export async function isLostWithDatabase(
  live: ApplicationCredential,
  { value }: Mint,
  { object: controlPlane, needs, services: { identity }, patch, signal }: MintContext,
): Promise<boolean> {
  const { database } = needs.keystone;
  const { database: minted } = keystonePlaceOf(live);
  if (minted === undefined || database === undefined || minted === database) return false;
  const { id } = live.status ?? {};
  const login = id === undefined ? undefined : { id, secret: value };
  const answer = login && (await identity.logIn(identityAddressOf(controlPlane), login, signal));
  if (answer !== 'accepted') return true;
  await failOnError(
    (error) => rows.credentialRefused({ error }),
    () => patch(ApplicationCredential, live, { metadata: { annotations: placeAnnotations({ database }) } }),
  );
  return false;
}

/**
 * How Keystone answers to the credential, which fits its secret: K-ORC never looks again, and only a login tells that Keystone
 * has lost it. Refused means twice. One that is too young is not tried, so that no failure mints one after the other.
 */
export async function loginWith(
  live: ApplicationCredential,
  { value }: Mint,
  { object: controlPlane, services: { identity }, clock, signal }: MintContext,
): Promise<CredentialAnswer> {
  const { id } = live.status ?? {};
  if (id === undefined || !(isAvailable(live) || terminalError(live) !== undefined)) return notAsked;
  const minted = Date.parse(controlPlane.status?.adminApplicationCredential?.lastRotation ?? '');
  // Not written down yet.
  if (Number.isNaN(minted)) return notAsked;
  const left = minted + shortestTerm - clock.now();
  if (left > 0) return { recheck: milliseconds(Math.min(left, loginRecheck)) };
  const address = identityAddressOf(controlPlane);
  const login = { id, secret: value };
  const recent = await identity.recentLogIn(address, login, signal);
  if (recent.result !== 'refused') return recent;
  return { ...recent, result: await identity.logIn(address, login, signal) };
}

/** Whether a new credential would reach those who log in with it. */
export function isStoreReady({ services: { secretStore }, get }: MintContext): boolean {
  return isReady(get(ClusterSecretStore, secretStore));
}

/** A credential that works is not revoked while its successor could not reach anybody. */
export function deferReMint(
  live: ApplicationCredential,
  { services: { secretStore: store } }: MintContext,
): MintOutcome {
  return degraded(rows.storeNotReady({ store }), { output: { credential: live } });
}

/** Writes down a new secret, which is all of the decision, and deletes the credential of the old one. */
export async function reMint(
  live: ApplicationCredential,
  { secret }: Mint,
  context: MintContext,
): Promise<MintOutcome> {
  const { patch, random } = context;
  const { id: administrator, problem } = await administratorNow(context);
  if (administrator === undefined) return revocation(live, context, problem);
  await failOnError(
    (error) => rows.newValueRefused({ error }),
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

/** With the import of an administrator who is gone: each of the two would wait for the other. */
async function deleteCredential(
  live: ApplicationCredential,
  administrator: string,
  context: MintContext,
): Promise<MintOutcome> {
  await failOnError(
    (error) => rows.deletionRefused({ error }),
    () => context.remove(ApplicationCredential, live),
  );
  await dropStaleImport(administrator, context);
  return waiting((isOfPassword(live, context) ? rows.revoking : rows.reMinting)({ name: live.metadata.name }));
}

/** Whether the credential was minted with the password of now, and no other one was asked for. */
function isOfPassword(live: ApplicationCredential, { needs }: MintContext): boolean {
  return hasPasswordHash(live, passwordHash(needs.passwordCloud.password.reveal()));
}

/** A credential that is about to be revoked is awaited, however long that takes. */
export function revocation(
  live: ApplicationCredential | undefined,
  { object: controlPlane, clock }: Pick<MintContext, 'object' | 'clock'>,
  problem?: string,
): MintOutcome {
  const { applicationCredential: name } = namesOf(controlPlane);
  const deleted = Date.parse(live?.metadata.deletionTimestamp ?? '');
  const isStalled = clock.now() - deleted > stallTimeout;
  return waiting((isStalled ? rows.stalled : rows.revoking)({ name }, problem));
}
