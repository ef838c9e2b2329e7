// SPDX-License-Identifier: Apache-2.0
import type { IncomingMessage } from 'node:http';
import type { HttpRequest } from './http-client.ts';

/** Headers that may be sent to another origin; others, and bodies, may contain secrets. */
const harmlessHeaders = new Set(['accept', 'content-type', 'user-agent']);

/** The request that a redirect asks for; undefined when it is none that can be followed safely. */
export function redirected(request: HttpRequest, from: URL, response: IncomingMessage): HttpRequest | undefined {
  const { statusCode: status = 0, headers } = response;
  const isSafe = request.method === 'GET' ? [301, 302, 303, 307, 308] : [307, 308];
  const to = headers.location === undefined ? null : URL.parse(headers.location, from.href);
  if (!isSafe.includes(status) || to === null || isStream(request)) return undefined;
  if (to.protocol !== from.protocol && to.protocol !== 'https:') return undefined;
  if (to.origin !== from.origin && request.body !== undefined) return undefined;
  const kept = Object.entries(request.headers ?? {}).filter(
    ([name]) => to.origin === from.origin || harmlessHeaders.has(name.toLowerCase()),
  );
  return { ...request, url: to.href, headers: Object.fromEntries(kept) };
}

/** A stream can be sent only once. */
function isStream({ body }: HttpRequest): boolean {
  return typeof body === 'object' && !(body instanceof Uint8Array);
}
