// SPDX-License-Identifier: Apache-2.0
import type { IncomingHttpHeaders } from 'node:http';
import type { ResourceRequest } from '../request/resource-request.ts';

/** Headers of a single connection. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

type Headers = Record<string, string>;

/** Whether a request asks for another protocol. */
export function isUpgrade({ connection = '' }: Readonly<Record<string, string>>): boolean {
  return /\bupgrade\b/i.test(connection);
}

/** The headers of a forwarded request: without credentials of the API server, and with the path it was sent to. */
export function forwardedHeaders({ headers, body, remoteAddress }: ResourceRequest, uri: string): Headers {
  const upgrades = isUpgrade(headers);
  const named = (headers['connection'] ?? '').split(',').map((name) => name.trim().toLowerCase());
  const isKept = (name: string): boolean => {
    if (name === 'authorization' || name === 'content-length' || name.startsWith('impersonate-')) return false;
    return upgrades || (!hopByHop.has(name) && !named.includes(name));
  };
  const forwarded: Headers = Object.fromEntries(Object.entries(headers).filter(([name]) => isKept(name)));
  if (/\btrailers\b/i.test(headers['te'] ?? '')) forwarded['te'] = 'trailers';
  const via = [headers['x-forwarded-for'] ?? [], remoteAddress ?? []].flat();
  if (via.length > 0) forwarded['x-forwarded-for'] = via.join(', ');
  if (!upgrades) forwarded['x-forwarded-uri'] = uri;
  const isValue = body !== undefined && !(body instanceof Uint8Array);
  return { ...(isValue && { 'content-type': 'application/json' }), ...forwarded };
}

/** The headers of a backend's response that are passed back. */
export function responseHeaders(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  const kept = Object.entries(headers).filter(
    ([name]) =>
      !hopByHop.has(name) &&
      !named.includes(name) &&
      !/^access-control-allow-(?:credentials|headers|methods|origin)$/.test(name),
  );
  return Object.fromEntries(kept) as Record<string, string | string[]>;
}
