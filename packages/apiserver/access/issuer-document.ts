// SPDX-License-Identifier: Apache-2.0
import { jsonPayload } from '../messages/payload.ts';
import type { ServerRequest, ServerResponse } from '../messages/server-request.ts';
import type { ServiceAccountTokens } from './service-account-tokens.ts';

/** Serves OIDC discovery of ServiceAccount tokens; undefined for other paths. */
export function issuerDocument(
  tokens: ServiceAccountTokens | undefined,
  { method, path }: Pick<ServerRequest, 'method' | 'path'>,
): ServerResponse | undefined {
  if (tokens === undefined || method !== 'GET') return undefined;
  const { issuer, key } = tokens;
  switch (path.replace(/\/$/, '')) {
    case '/.well-known/openid-configuration': {
      const document = {
        issuer,
        jwks_uri: `${issuer}/openid/v1/jwks`,
        response_types_supported: ['id_token'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: [key.jwk['alg']],
      };
      return { status: 200, payload: jsonPayload(document) };
    }
    case '/openid/v1/jwks':
      return { status: 200, payload: jsonPayload({ keys: [key.jwk] }), contentType: 'application/jwk-set+json' };
    default:
      return undefined;
  }
}
