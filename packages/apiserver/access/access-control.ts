// SPDX-License-Identifier: Apache-2.0
import type { CoreContext } from '../resources/core-context.ts';
import { tokenAuthenticator, type StaticTokens, type TokenAuthenticator } from './authenticate.ts';
import { anyAuthorizer, roleAuthorizer, type Authorizer } from './authorize.ts';
import { Grants } from './grants.ts';
import { nodeAuthorizer } from './node-authorizer.ts';
import { ServiceAccountTokens } from './service-account-tokens.ts';
import { signingKey } from './signing-key.ts';

/** Authentication options, besides client certificates. */
export interface AccessOptions {
  /** Static bearer tokens and their users. */
  tokens?: StaticTokens;
  /** Enables ServiceAccount tokens. */
  serviceAccounts?: {
    /** PEM of the private signing key: RSA or P-256. */
    signingKey: string;
    /** Issuer URL. Default: that of the Service `kubernetes`. */
    issuer?: string;
  };
}

/** Authentication and authorization. */
export interface AccessControl {
  readonly tokens: TokenAuthenticator;
  readonly authorizer: Authorizer;
  readonly grants: Grants;
  /** Issues ServiceAccount tokens, when there is a signing key. */
  readonly serviceAccountTokens: ServiceAccountTokens | undefined;
}

/** Access control by the RBAC objects of a store, and by the node authorizer for nodes. */
export function accessControl(
  context: CoreContext,
  { tokens = {}, serviceAccounts: accounts }: AccessOptions,
): AccessControl {
  const grants = new Grants(context.store);
  const issuer = accounts?.issuer ?? 'https://kubernetes.default.svc.cluster.local';
  const serviceAccountTokens = accounts && new ServiceAccountTokens(signingKey(accounts.signingKey), issuer, context);
  return {
    tokens: tokenAuthenticator(tokens, serviceAccountTokens, [issuer]),
    authorizer: anyAuthorizer(nodeAuthorizer(context.store), roleAuthorizer(grants)),
    grants,
    serviceAccountTokens,
  };
}
