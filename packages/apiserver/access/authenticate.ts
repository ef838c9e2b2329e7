// SPDX-License-Identifier: Apache-2.0
import type { ServerRequest, User } from '../messages/server-request.ts';
import { statusError } from '../messages/status-errors.ts';
import type { ServiceAccountTokens } from './service-account-tokens.ts';

/** Static tokens and their users. */
export type StaticTokens = Readonly<Record<string, User>>;

/** The user and audiences of a token, or why it is invalid. */
type TokenOutcome = { readonly user: User; readonly audiences: readonly string[] } | { readonly problem: string };

/** Authenticates a token for one of the audiences, by default those of this server. */
export type TokenAuthenticator = (token: string, audiences?: readonly string[]) => TokenOutcome;

/** Paths open to anonymous requests. */
const publicPaths = new Set(['/healthz', '/livez', '/readyz', '/version', '/version/']);
const anonymous: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

/** Authenticates static tokens and ServiceAccount tokens. */
export function tokenAuthenticator(
  known: StaticTokens,
  accounts: ServiceAccountTokens | undefined,
  own: readonly string[],
): TokenAuthenticator {
  const users = new Map(Object.entries(known));
  return (token, audiences = own) => {
    const user = users.get(token);
    const shared = own.filter((each) => audiences.includes(each));
    if (user !== undefined && shared.length > 0) return { user: authenticated(user), audiences: shared };
    const read = accounts?.read(token, audiences);
    if (read === undefined) return { problem: 'invalid bearer token' };
    if (typeof read === 'string') return { problem: `[invalid bearer token, ${read}]` };
    return { ...read, user: authenticated(read.user) };
  };
}

/** The user of a request: from the transport, else from the bearer token, else anonymous on public paths. */
export function authenticate(tokens: TokenAuthenticator, { user, headers, path }: ServerRequest): User {
  if (user !== undefined) return user;
  const [scheme, token = ''] = (headers['authorization'] ?? '').trim().split(' ');
  if (scheme?.toLowerCase() === 'bearer' && token !== '') {
    const outcome = tokens(token);
    if ('user' in outcome) return outcome.user;
  } else if (publicPaths.has(path)) {
    return anonymous;
  }
  throw statusError(401, 'Unauthorized', 'Unauthorized');
}

/** The user with the group system:authenticated. */
export function authenticated(user: User): User {
  return { ...user, groups: [...user.groups, 'system:authenticated'] };
}
