// SPDX-License-Identifier: Apache-2.0
import type { IncomingMessage } from 'node:http';
import { setField } from '@forge/kube/objects/json.ts';
import { impersonationHeaders } from '../access/impersonation-headers.ts';
import { hasTooManyParameters } from '../messages/request-limits.ts';
import type { ServerRequest } from '../messages/server-request.ts';

/** Converts an HTTP request. */
export function httpRequest(
  request: IncomingMessage,
  rest: Pick<ServerRequest, 'user' | 'signal' | 'readBody'>,
): ServerRequest {
  const { method = 'GET', url = '/', headers } = request;
  const questionMark = url.indexOf('?');
  const path = questionMark < 0 ? url : url.slice(0, questionMark);
  const search = questionMark < 0 ? '' : url.slice(questionMark);
  return {
    method,
    path,
    query: search === '' || hasTooManyParameters(search) ? {} : firstOfEach(new URLSearchParams(search)),
    search,
    remoteAddress: request.socket.remoteAddress,
    headers: { ...(headers as Record<string, string>), ...impersonation(request) },
    ...rest,
  };
}

/** Whether the request has a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers;
  return length !== '0' || encoding !== undefined;
}

/** The impersonation headers; most requests have none, and need no second look at the headers. */
function impersonation(request: IncomingMessage): Record<string, string> | undefined {
  for (const name in request.headers) {
    if (name.startsWith('impersonate-')) return impersonationHeaders(request.headersDistinct);
  }
  return undefined;
}

/** The first value of a repeated parameter wins. */
function firstOfEach(parameters: URLSearchParams): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [name, value] of parameters) if (!Object.hasOwn(query, name)) setField(query, name, value);
  return query;
}
