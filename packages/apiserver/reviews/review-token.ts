// SPDX-License-Identifier: Apache-2.0
import type { TokenReview } from '@forge/kube/kinds/builtin.ts';
import { userInfo } from '../access/user-info.ts';
import type { ServerResponse } from '../messages/server-request.ts';
import { badRequest } from '../messages/status-errors.ts';
import type { ResourceRequest } from '../request/resource-request.ts';
import type { ServerContext } from '../request/server-context.ts';
import { readReview, reviewResponse } from './read-review.ts';

/** Handles TokenReview: the user of a token. */
export async function reviewToken(server: ServerContext, request: ResourceRequest): Promise<ServerResponse> {
  const review = await readReview<TokenReview>(server, request);
  const { token = '', audiences = [] } = review.spec as { token?: string; audiences?: string[] };
  if (token === '') throw badRequest('token is required for TokenReview in authentication');
  const outcome = server.tokens(token, audiences.length === 0 ? undefined : audiences);
  const status =
    'user' in outcome
      ? { authenticated: true, user: userInfo(outcome.user), audiences: [...outcome.audiences] }
      : { user: {}, error: outcome.problem };
  return reviewResponse({ ...review, status } as TokenReview);
}
