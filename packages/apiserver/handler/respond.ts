// SPDX-License-Identifier: Apache-2.0
import { authenticate } from '../access/authenticate.ts';
import { authorize } from '../access/authorize.ts';
import { effectiveUser } from '../access/impersonate.ts';
import { issuerDocument } from '../access/issuer-document.ts';
import { discover } from '../discovery/discover.ts';
import { accessRequestOf } from '../messages/access-request.ts';
import { isLarge, sentSizeOf } from '../messages/large-body.ts';
import { parseResourcePath } from '../messages/request-info.ts';
import { checkLimits } from '../messages/request-limits.ts';
import type { ServerRequest, ServerResponse, User } from '../messages/server-request.ts';
import type { RequestSubject } from '../request/request-metrics.ts';
import type { ResourceRequest } from '../request/resource-request.ts';
import type { ServerContext } from '../request/server-context.ts';
import type { TurnsOfUsers } from '../request/turns-of-users.ts';
import { route } from '../routing/route.ts';
import { health } from './health.ts';

/** Authenticates, authorizes and routes a request; sets the subject for metrics. Throws API errors. */
export function respond(
  server: ServerContext,
  request: ServerRequest,
  warn: ResourceRequest['warn'],
  subject: RequestSubject,
): ServerResponse | Promise<ServerResponse> {
  checkLimits(request);
  const target = parseResourcePath(request.path);
  const access = accessRequestOf(request, target);
  const user = effectiveUser(server.authorizer, authenticate(server.tokens, request), access, request.headers);
  authorize(server.authorizer, user, access);
  const document =
    health(server, request) ?? discover(server, request) ?? issuerDocument(server.serviceAccountTokens, request);
  if (document !== undefined) return document;
  const answer = (sent: ServerRequest) => route(server, sent, target, { user, warn }, subject);
  return isLarge(sentSizeOf(request)) ? answerInTurn(server.turns, user, request, answer) : answer(request);
}

/** Answers a large request when it is the user's turn, which begins when the body has been received. */
async function answerInTurn(
  turns: TurnsOfUsers,
  user: User,
  request: ServerRequest,
  answer: (request: ServerRequest) => ServerResponse | Promise<ServerResponse>,
): Promise<ServerResponse> {
  const { readBody } = request;
  if (readBody === undefined) return await answer(request);
  let turn: Promise<() => void> | undefined;
  const readInTurn = async () => {
    const body = await readBody();
    await (turn ??= turns.take(user.name));
    return body;
  };
  try {
    return await answer({ ...request, readBody: readInTurn });
  } finally {
    (await turn)?.();
  }
}
