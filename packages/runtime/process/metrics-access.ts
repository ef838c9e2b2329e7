// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';
import type { Client } from '@forge/kube/client/client.ts';
import { SubjectAccessReview, TokenReview } from '@forge/kube/kinds/builtin.ts';
import { expiringMemo } from '../collections/expiring-memo.ts';
import type { Access } from '../controller/controller.ts';
import type { Clock } from '../environment/clock.ts';
import { minutes, seconds } from '../environment/duration.ts';
import type { Logger } from '../observability/logger.ts';

/** A request whose caller is to be authorized. */
interface AuthorizationRequest {
  method: string;
  path: string;
  /** The Authorization header. */
  authorization: string | undefined;
  signal: AbortSignal;
}

/** Why a request is refused. */
interface Refusal {
  status: 401 | 403 | 500;
  text: string;
}

/** The refusal of a request; undefined when its caller may send it. */
export type Authorize = (request: AuthorizationRequest) => Promise<Refusal | undefined>;

/** The access to the API that the reviews need. */
export const reviewAccess: readonly Access[] = [TokenReview, SubjectAccessReview].map((kind) => ({
  kind,
  verbs: ['create'],
}));

/** How long an answer of the API server holds; a role that was just granted should work soon. */
const [allowedFor, refusedFor] = [minutes(1), seconds(10)];
/** How many callers are remembered; many more would be an attack. */
const remembered = 256;

/** Reviews have no name. */
const metadata = {} as TokenReview['metadata'];

const unauthorized: Refusal = { status: 401, text: 'Unauthorized' };

/**
 * Lets the API server decide who may read the metrics: a TokenReview tells who calls, and a SubjectAccessReview whether
 * that user may get the path. Answers are remembered for a minute, refusals for ten seconds; errors are not.
 */
export function metricsAccess({ api, clock, log }: { api: Client; clock: Clock; log: Logger }): Authorize {
  const answers = expiringMemo<Refusal | undefined>({
    clock,
    size: remembered,
    holdsFor: (refusal) => (refusal === undefined ? allowedFor : refusedFor),
  });

  async function review(token: string, { method, path, signal }: AuthorizationRequest): Promise<Refusal | undefined> {
    const asked: TokenReview = {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenReview',
      metadata,
      spec: { token },
    };
    const { status: caller } = await api.create(TokenReview, asked, { signal });
    const { authenticated = false, user: { username: user = '', groups = [], uid, extra } = {} } = caller ?? {};
    if (!authenticated) return unauthorized;
    const nonResourceAttributes = { path, verb: method.toLowerCase() };
    const identity = { user, groups, ...(uid !== undefined && { uid }), ...(extra !== undefined && { extra }) };
    const access: SubjectAccessReview = {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      metadata,
      spec: { ...identity, nonResourceAttributes },
    };
    const { status } = await api.create(SubjectAccessReview, access, { signal });
    return status?.allowed === true ? undefined : { status: 403, text: `Authorization denied for user ${user}` };
  }

  return async (request) => {
    const [, token] = /^Bearer +(\S+) *$/i.exec(request.authorization ?? '') ?? [];
    if (token === undefined) return unauthorized;
    // Tokens themselves are kept nowhere.
    const key = createHash('sha256').update(`${request.method} ${request.path} ${token}`).digest('base64');
    try {
      return await answers.get(key, () => review(token, request));
    } catch (error) {
      if (!request.signal.aborted) log.error('cannot review who reads the metrics', { error });
      return { status: 500, text: 'The API server could not be asked who may read the metrics' };
    }
  };
}
