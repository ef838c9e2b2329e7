// SPDX-License-Identifier: Apache-2.0
import type { Secret } from '@forge/kube/kinds/builtin.ts';
import type { ApplicationCredential } from '@forge/kube/third-party/korc.ts';
import { IdentityError } from '@forge/openstack/identity-api.ts';
import type { Duration } from '@forge/runtime/environment/duration.ts';
import { HttpError } from '@forge/runtime/http/http-error.ts';
import type { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import type { Outcome } from '@forge/runtime/steps/outcome.ts';
import type { ControlPlane } from '../../api/control-plane.ts';
import { identityAddressOf } from '../../api/names.ts';
import type { ContextWith } from '../../clients/services.ts';
import type { KeystonePlace } from '../../objects/korc/application-credential.ts';

/** The context of the parts of the KORC step. */
export type MintContext = ContextWith<{
  readonly keystone: KeystonePlace;
  readonly passwordCloud: PasswordCloud & { readonly loginDue: Duration };
  readonly imports: { readonly pending: PendingImport | undefined };
}>;

/** An import that the credential waits for, and why K-ORC gave up on it, if it did. */
export interface PendingImport {
  readonly kind: 'Domain' | 'User';
  readonly name: string;
  readonly error: string | undefined;
}

/** The login by password; and why it does not work, if that is known: then it must not be tried. */
export interface PasswordCloud {
  readonly password: SecretValue;
  readonly problem: string | undefined;
}

/** The secret of the credential, and the Secret that holds it. */
export interface Mint {
  readonly secret: Secret;
  readonly value: SecretValue;
}

/** How the step ends. */
export type MintOutcome = Outcome<
  { readonly credential: ApplicationCredential },
  { adminApplicationCredential?: NonNullable<ControlPlane['status']>['adminApplicationCredential'] }
>;

/** The id of the administrator if a login succeeds now; otherwise the reason, if it is known. */
export type Administrator =
  | { readonly id: string; readonly problem?: undefined }
  | { readonly id?: undefined; readonly problem: string | undefined };

/** Logs in as the administrator, by password. A Keystone without its database answers other requests, but not this one. */
export async function administratorNow({ object, needs, services, signal }: MintContext): Promise<Administrator> {
  const { password, problem } = needs.passwordCloud;
  if (problem !== undefined) return { problem };
  try {
    const { id } = await services.identity.administrator(identityAddressOf(object), { password }, signal);
    return { id };
  } catch (error) {
    if (!(error instanceof HttpError) && !(error instanceof IdentityError)) throw error;
    return { problem: problemOf(error) };
  }
}

/** What is reported about a failed login: a refused password; an outage is reported by other steps. */
export function problemOf(error: HttpError | IdentityError): string | undefined {
  return error instanceof IdentityError && error.status === 401 ? passwordRefused : undefined;
}

/** Added to the message of what waits for a correct password. */
export const passwordRefused = 'Keystone refuses the admin password';
