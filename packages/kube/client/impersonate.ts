// SPDX-License-Identifier: Apache-2.0
import type { ApiRequest, Transport } from './transport.ts';

/** The user to impersonate. */
export interface Impersonation {
  user: string;
  uid?: string;
  groups?: readonly string[];
}

/** A transport that impersonates a user; the server must allow us to. */
export function impersonate(transport: Transport, { user, uid, groups = [] }: Impersonation): Transport {
  const headers = {
    'impersonate-user': user,
    ...(uid !== undefined && { 'impersonate-uid': uid }),
    ...(groups.length > 0 && { 'impersonate-group': groups }),
  };
  const as = (request: ApiRequest): ApiRequest => ({ ...request, headers: { ...request.headers, ...headers } });
  return {
    request: (request) => transport.request(as(request)),
    stream: (request) => transport.stream(as(request)),
  };
}
