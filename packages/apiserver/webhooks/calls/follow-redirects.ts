// SPDX-License-Identifier: Apache-2.0
import { CallFailure } from './call-failure.ts';
import type { WebhookResponse } from './call-webhook.ts';

/** One request of a call: the first, or a redirected one. */
export interface Hop {
  readonly method: 'POST' | 'GET';
  /** `host:port`, or a host alone; that of the webhook. */
  readonly authority: string;
  /** With the query. */
  readonly path: string;
  readonly body: string | undefined;
  /** The URL that redirected here. */
  readonly referer?: string;
}

const maximumRequests = 10;

/**
 * Sends a request, and follows redirects as Go's HTTP client does: 307 and 308 repeat method and body, 301 to 303
 * become a GET without a body, and the tenth redirect in a row fails. A redirect to another host or port fails too:
 * otherwise a pod could make this server send requests to addresses that only its host can reach.
 */
export async function followRedirects(
  first: Hop,
  send: (hop: Hop) => Promise<WebhookResponse>,
): Promise<WebhookResponse> {
  let hop = first;
  for (let requests = 1; ; requests += 1) {
    const answer = await send(hop).catch((error: Error) => {
      throw callFailure(urlOf(hop), error.message, error);
    });
    const { status, location = '' } = answer;
    if (!redirects.has(status) || location === '') return answer;
    if (requests === maximumRequests) throw callFailure(location, `stopped after ${maximumRequests} redirects`);
    hop = redirected(hop, status, location);
  }
}

const redirects = new Set([301, 302, 303, 307, 308]);

function redirected(hop: Hop, status: number, location: string): Hop {
  const url = urlOf(hop);
  const resolved = URL.parse(location, url);
  if (resolved === null) throw callFailure(url, `failed to parse Location header ${JSON.stringify(location)}`);
  if (resolved.origin !== new URL(url).origin) {
    throw callFailure(url, `redirect to ${JSON.stringify(location)} leads away from the webhook`);
  }
  const repeats = status === 307 || status === 308;
  return {
    ...(repeats ? hop : { method: 'GET', body: undefined }),
    authority: hop.authority,
    path: `${resolved.pathname}${resolved.search}`,
    referer: url,
  };
}

function urlOf({ authority, path }: Hop): string {
  return `https://${authority}${path}`;
}

/** Errors name the method of the original call, even after redirects. */
function callFailure(url: string, why: string, cause?: Error): CallFailure {
  return new CallFailure(`failed to call webhook: Post "${url}": ${why}`, { cause });
}
