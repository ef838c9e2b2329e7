// SPDX-License-Identifier: Apache-2.0
import type { SelfSubjectRulesReview } from '@forge/kube/kinds/builtin.ts';
import { aggregateErrors } from '../access/authorize.ts';
import { nodeNameOf } from '../access/node-identity.ts';
import type { ServerResponse } from '../messages/server-request.ts';
import { badRequest } from '../messages/status-errors.ts';
import type { ResourceRequest } from '../request/resource-request.ts';
import type { ServerContext } from '../request/server-context.ts';
import { readReview, reviewResponse } from './read-review.ts';

/** Handles SelfSubjectRulesReview: the caller's rules in a namespace. */
export async function reviewSelfSubjectRules(server: ServerContext, request: ResourceRequest): Promise<ServerResponse> {
  const { kind, apiVersion, spec } = await readReview<SelfSubjectRulesReview>(server, request);
  const { namespace = '' } = spec;
  if (namespace === '') throw badRequest('no namespace on request');
  const grants = [...server.grants.of(request.user, namespace)];
  const rules = grants.flatMap((grant) => grant.rules);
  // What a node can read depends on its pods.
  const isNode = nodeNameOf(request.user) !== undefined;
  const errors = [
    ...(isNode ? ['node authorizer does not support user rule resolution'] : []),
    ...grants.flatMap((grant) => grant.missing ?? []),
  ];
  const status: SelfSubjectRulesReview['status'] = {
    resourceRules: rules.filter(({ resources = [] }) => resources.length > 0),
    nonResourceRules: rules.filter(({ nonResourceURLs = [] }) => nonResourceURLs.length > 0),
    incomplete: isNode,
    ...(errors.length > 0 && { evaluationError: aggregateErrors([...new Set(errors)]) }),
  };
  return reviewResponse({ kind, apiVersion, metadata: {}, spec: {}, status } as unknown as SelfSubjectRulesReview);
}
