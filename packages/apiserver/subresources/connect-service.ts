// SPDX-License-Identifier: Apache-2.0
import type { IncomingMessage } from 'node:http';
import { posix } from 'node:path';
import { maxBodySize } from '../encoding/decode-body.ts';
import { requestPod } from '../kubelet/request-pod.ts';
import type { ServerResponse } from '../messages/server-request.ts';
import { errorWithoutReason, serviceUnavailable, tooLarge } from '../messages/status-errors.ts';
import type { ResourceRequest } from '../request/resource-request.ts';
import type { ServerContext } from '../request/server-context.ts';
import { admitConnection } from '../webhooks/admit-connection.ts';
import { forwardedHeaders, isUpgrade, responseHeaders } from './proxy-headers.ts';
import { escapePath, rewriteLocation } from './proxy-paths.ts';
import { serviceEndpoint } from './service-endpoint.ts';

/** Handles services/proxy: forwards the request to a pod of the Service. Links in HTML are not rewritten. */
export async function connectService(server: ServerContext, request: ResourceRequest): Promise<ServerResponse> {
  await admitConnection(server, request);
  const endpoint = serviceEndpoint(server, request);
  const { method, path, subpath, signal } = request;
  const search = searchOf(request);
  const upgrades = isUpgrade(request.headers);
  if (subpath === '' && !upgrades && (method === 'GET' || method === 'HEAD')) {
    return redirect(`${path}/${search}`);
  }
  const target = subpath === '' ? '' : posix.normalize(subpath);
  const prefix = path.endsWith(target) ? path.slice(0, path.length - target.length) : path;
  const escaped = escapePath(target === '' ? '/' : target);
  const { response, connection } = await requestPod(server.nodes, endpoint, {
    method,
    path: `${escaped}${search}`,
    headers: forwardedHeaders(request, posix.join(prefix, escaped)),
    body: bodyOf(request.body),
    signal,
  }).catch((error: Error) => {
    throw upgrades
      ? errorWithoutReason(error.message)
      : serviceUnavailable(`error trying to reach service: ${error.message}`);
  });
  if (connection !== undefined) {
    return { status: 101, bytes: connection, contentType: '', headers: response.headers as Record<string, string> };
  }
  const status = response.statusCode ?? 0;
  if (upgrades && status < 400) {
    response.destroy();
    throw errorWithoutReason(`invalid upgrade response: status code ${status}`);
  }
  return proxied(response, (location) =>
    rewriteLocation(location, { prefix, endpoint, host: request.headers['host'] }),
  );
}

function proxied(response: IncomingMessage, rewritten: (location: string) => string): ServerResponse {
  const { 'content-type': contentType = '', location } = response.headers;
  const backendHeaders = responseHeaders(response.headers);
  if (location !== undefined && location !== '') backendHeaders['location'] = rewritten(location);
  return { status: response.statusCode ?? 0, bytes: response, contentType, backendHeaders };
}

function redirect(location: string): ServerResponse {
  return { status: 301, bytes: nothing(), contentType: '', backendHeaders: { location } };
}

async function* nothing(): AsyncGenerator<never> {}

/** The query as it was sent; in-process callers send parameters. */
function searchOf({ search, query }: ResourceRequest): string {
  if (search !== undefined) return search;
  return Object.keys(query).length === 0 ? '' : `?${new URLSearchParams(query).toString()}`;
}

/** Bytes from the wire, or the JSON value of an in-process caller. */
function bodyOf(body: unknown): Uint8Array | undefined {
  if (body === undefined) return undefined;
  const bytes = body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body));
  if (bytes.length > maxBodySize) throw tooLarge(maxBodySize);
  return bytes;
}
