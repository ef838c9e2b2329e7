// SPDX-License-Identifier: Apache-2.0
import type { SelfSubjectReview } from '@forge/kube/kinds/builtin.ts';
import { timestamp } from '@forge/runtime/environment/clock.ts';
import { userInfo } from '../access/user-info.ts';
import type { ServerResponse } from '../messages/server-request.ts';
import type { ResourceRequest } from '../request/resource-request.ts';
import type { ServerContext } from '../request/server-context.ts';
import { readReview, reviewResponse } from './read-review.ts';

/** Handles SelfSubjectReview: who the caller is. */
export async function reviewSelfSubject(server: ServerContext, request: ResourceRequest): Promise<ServerResponse> {
  const { kind, apiVersion } = await readReview<SelfSubjectReview>(server, request);
  const metadata = { creationTimestamp: timestamp(server.clock) };
  return reviewResponse({
    kind,
    apiVersion,
    metadata,
    status: { userInfo: userInfo(request.user) },
  } as SelfSubjectReview);
}
