// SPDX-License-Identifier: Apache-2.0
import type { SelfSubjectReview } from '@forge/kube/kinds/builtin.ts';
import { timestamp } from '@forge/runtime/time/clock.ts';
import { userInfo } from '../access/user-info.ts';
import type { ResourceRequest } from '../context/resource-request.ts';
import type { ServerContext } from '../context/server-context.ts';
import type { ServerResponse } from '../request/server-request.ts';
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
