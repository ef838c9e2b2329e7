// SPDX-License-Identifier: Apache-2.0
import type { ApiRequest, Transport } from './transport.ts';

/** The user to impersonate. */
export interface Impersonation {
  user: string;
  uid?: string;
  groups?: readonly string[];
}

/** A transport that impersonates a user, for which it needs permission. */
export function impersonate(transport: Transport, impersonation: Impersonation): Transport {
  const headers = impersonationHeaders(impersonation);
  const as = (request: ApiRequest): ApiRequest => ({ ...request, headers: { ...request.headers, ...headers } });
  return {
    request: (request) => transport.request(as(request)),
    stream: (request) => transport.stream(as(request)),
  };
}

/** The headers of a request that impersonates a user. */
export function impersonationHeaders({ user, uid, groups = [] }: Impersonation): NonNullable<ApiRequest['headers']> {
  return {
    'impersonate-user': user,
    ...(uid !== undefined && { 'impersonate-uid': uid }),
    ...(groups.length > 0 && { 'impersonate-group': groups }),
  };
}
