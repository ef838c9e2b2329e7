// SPDX-License-Identifier: Apache-2.0
import type { HttpClient, HttpRequest } from '@forge/runtime/http/http-client.ts';
import { HttpError, type HttpFailure } from '@forge/runtime/http/http-error.ts';
import type { ProcessContext } from '../scenario/scenario.ts';
import { LostReplyError } from './outside-call.ts';
import { withStreams } from './with-streams.ts';

/**
 * The HTTP client of a process for an external system. In an outage of the plan connections fail; when a reply is lost, they
 * break. `isRead` tells which requests change nothing there.
 */
export function outsideHttp(
  host: ProcessContext,
  system: string,
  http: Pick<HttpClient, 'send'>,
  isRead: (request: HttpRequest) => boolean,
): HttpClient {
  return withStreams({
    async send(request) {
      try {
        return await host.outside(system, () => http.send(request), { reads: isRead(request) });
      } catch (error) {
        if (error instanceof HttpError) throw error;
        throw new HttpError(request.method, request.url, failureOf(error, request), error);
      }
    },
  });
}

function failureOf(error: unknown, { url }: HttpRequest): HttpFailure {
  if (error instanceof LostReplyError) return { kind: 'broken-response', phase: 'headers' };
  const { hostname: host, port } = new URL(url);
  return { kind: 'connect-failed', host, port: Number(port) };
}
