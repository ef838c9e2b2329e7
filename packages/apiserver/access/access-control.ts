// SPDX-License-Identifier: Apache-2.0
import type { CoreContext } from '../resources/core-context.ts';
import { tokenAuthenticator, type StaticTokens, type TokenAuthenticator } from './authenticate.ts';
import { roleAuthorizer, type Authorizer } from './authorize.ts';
import { Grants } from './grants.ts';
import { ServiceAccountTokens } from './service-account-tokens.ts';
import { signingKey } from './signing-key.ts';

/** How a server knows its callers, beside what their transport tells of them. */
export interface AccessOptions {
  /** Bearer tokens that never end, and whose they are. */
  tokens?: StaticTokens;
  /** Makes the server issue tokens of service accounts. */
  serviceAccounts?: {
    /** PEM of the private key that signs them: RSA or P-256. */
    signingKey: string;
    /** Who they say has issued them; the address of the Service `kubernetes` unless given. */
    issuer?: string;
  };
}

/** Who somebody is, and what somebody may. */
export interface AccessControl {
  readonly tokens: TokenAuthenticator;
  readonly authorizer: Authorizer;
  readonly grants: Grants;
  /** Issues tokens of service accounts, when there is a key to sign them. */
  readonly serviceAccountTokens: ServiceAccountTokens | undefined;
}

/** Access to the objects of a store, as the roles and bindings among them say. */
export function accessControl(
  context: CoreContext,
  { tokens = {}, serviceAccounts: accounts }: AccessOptions,
): AccessControl {
  const grants = new Grants(context.store);
  const issuer = accounts?.issuer ?? 'https://kubernetes.default.svc.cluster.local';
  const serviceAccountTokens = accounts && new ServiceAccountTokens(signingKey(accounts.signingKey), issuer, context);
  return {
    tokens: tokenAuthenticator(tokens, serviceAccountTokens, [issuer]),
    authorizer: roleAuthorizer(grants),
    grants,
    serviceAccountTokens,
  };
}
