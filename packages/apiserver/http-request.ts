// SPDX-License-Identifier: Apache-2.0
import type { IncomingMessage } from 'node:http';
import { impersonationHeaders } from './access/impersonation-headers.ts';
import { maximumBody } from './pipeline/decode-body.ts';
import type { ServerRequest } from './server-request.ts';

/**
 * What the core is asked by a request that came over HTTP; of a body larger than any object may be it gets the beginning. A
 * caller that stops in the middle of one for longer than our patience is let go.
 */
export async function httpRequest(
  request: IncomingMessage,
  rest: Pick<ServerRequest, 'user' | 'signal'>,
  patience: number,
): Promise<ServerRequest> {
  const { method = 'GET', url = '/', headers } = request;
  const body = hasBody(request) ? await readBody(request, patience) : noBody;
  const questionMark = url.indexOf('?');
  const path = questionMark < 0 ? url : url.slice(0, questionMark);
  const search = questionMark < 0 ? '' : url.slice(questionMark);
  return {
    method,
    path,
    query: search === '' ? {} : firstOfEach(new URLSearchParams(search)),
    search,
    headers: { ...(headers as Record<string, string>), ...impersonation(request) },
    ...(body.length > 0 && { body }),
    ...rest,
  };
}

const noBody = Buffer.alloc(0);

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/** Whom the caller wants to be. Few want to be another, and only for them the headers are read again. */
function impersonation(request: IncomingMessage): Record<string, string> | undefined {
  for (const name in request.headers) {
    if (name.startsWith('impersonate-')) return impersonationHeaders(request.headersDistinct);
  }
  return undefined;
}

function readBody(request: IncomingMessage, patience: number): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const stalled = setTimeout(() => request.destroy(new Error('the rest of the body does not come')), patience);
  request.on('data', (chunk: Uint8Array) => {
    stalled.refresh();
    // The rest is taken, but not kept: what is too large already cannot become right.
    if (size <= maximumBody) chunks.push(chunk);
    size += chunk.length;
  });
  request.once('end', () => {
    clearTimeout(stalled);
    // Most bodies come at once.
    resolve(chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks));
  });
  request.once('error', (error) => {
    clearTimeout(stalled);
    reject(error);
  });
  return promise;
}

/** A parameter that is given several times counts as it was given first. */
function firstOfEach(parameters: URLSearchParams): Record<string, string> {
  return Object.fromEntries([...parameters].toReversed());
}
