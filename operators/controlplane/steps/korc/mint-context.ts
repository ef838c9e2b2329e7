// SPDX-License-Identifier: Apache-2.0
import type { Secret } from '@forge/kube/kinds/builtin.ts';
import type { ApplicationCredential } from '@forge/kube/third-party/korc.ts';
import type { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import type { Outcome } from '@forge/runtime/steps/outcome.ts';
import type { StepContext } from '@forge/runtime/steps/step-context.ts';
import type { ControlPlane } from '../../control-plane.ts';
import { identityAddressOf } from '../../names.ts';
import type { Services } from '../../step.ts';
import type { PendingImport } from './imports.ts';

/** What the parts of the KORC step work with. */
export type MintContext = StepContext<
  ControlPlane,
  Services,
  {
    readonly passwordCloud: { readonly password: SecretValue };
    readonly imports: { readonly pending: PendingImport | undefined };
  }
>;

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

/** Whether Keystone lets the administrator in, right now. Without its database it answers, but not to this. */
export async function keystoneAnswers({ object, needs, services, signal }: MintContext): Promise<boolean> {
  const { password } = needs.passwordCloud;
  return (await services.identity.logIn(identityAddressOf(object), { password }, signal)) === 'accepted';
}
