// SPDX-License-Identifier: Apache-2.0
import type { ServerRequest, User } from '../request/server-request.ts';
import { statusError } from '../request/status-errors.ts';
import type { ServiceAccountTokens } from './service-account-tokens.ts';

/** Tokens that never end, and whose they are. */
export type StaticTokens = Readonly<Record<string, User>>;

/** Whose a token is and for which audiences, or why it is nobody's. */
type TokenOutcome = { readonly user: User; readonly audiences: readonly string[] } | { readonly problem: string };

/** Says whose a token is, for one of the audiences: those of this server unless given. */
export type TokenAuthenticator = (token: string, audiences?: readonly string[]) => TokenOutcome;

/** What anybody may ask without saying who it is. */
const publicPaths = new Set(['/healthz', '/livez', '/readyz', '/version', '/version/']);
const anonymous: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

/** Knows the tokens the server was given, and those it has issued. */
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

/** Who asks: whom the transport knows, else whose token is shown, else nobody in particular where that is enough. */
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

/** The user as one of those who are known. */
export function authenticated(user: User): User {
  return { ...user, groups: [...user.groups, 'system:authenticated'] };
}
