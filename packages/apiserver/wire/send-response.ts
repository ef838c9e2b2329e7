// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import type { ServerResponse as HttpResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { Payload } from '../request/payload.ts';
import type { ServerResponse } from '../request/server-request.ts';
import type { BatchedWriter } from './batched-writer.ts';
import { relayUpgrade } from './relay-upgrade.ts';
import { sendEvents } from './send-events.ts';

/** Sends a response over HTTP: small ones at once, large ones as fast as the client reads. */
export async function sendResponse(
  result: ServerResponse,
  response: HttpResponse,
  signal: AbortSignal,
  { writer, stallTimeout }: { writer: BatchedWriter; stallTimeout: number },
): Promise<void> {
  for (const warning of result.warnings ?? []) {
    const quoted = `299 - "${warning.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
    // Headers are sent as UTF-8 bytes, as Kubernetes does.
    response.appendHeader('Warning', Buffer.from(quoted).toString('latin1'));
  }
  if (result.retryAfter !== undefined) response.setHeader('Retry-After', result.retryAfter);
  if ('text' in result) {
    response.writeHead(result.status, {
      'content-type': result.contentType ?? 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
    });
    return sendWhole(result.text, Buffer.byteLength(result.text), response, writer);
  }
  if ('headers' in result) return relayUpgrade(response, result.headers, result.bytes);
  const contentType = result.contentType ?? 'application/json';
  if ('payload' in result && result.payload.pieces === undefined) {
    // Objects that are read will be read again, so caching their bytes pays off; written ones may never be.
    const text = response.req.method === 'GET' ? undefined : result.payload.text;
    const body = text ?? result.payload.bytes;
    const length = Buffer.byteLength(body);
    response.writeHead(result.status, { 'content-type': contentType, 'content-length': length });
    return sendWhole(body, length, response, writer);
  }
  const headers = 'bytes' in result ? result.backendHeaders : undefined;
  response.writeHead(result.status, headers ?? (contentType === '' ? {} : { 'content-type': contentType }));
  response.flushHeaders();
  if ('events' in result) return sendEvents(result.events, response, writer, stallTimeout);
  for await (const piece of 'bytes' in result ? result.bytes : piecesOf(result.payload)) {
    const isTaken = piece instanceof Uint8Array ? response.write(piece) : writeTogether(piece, response);
    if (!isTaken) await drained(response, signal, stallTimeout);
  }
  response.end();
}

/** How much of a large response is held back until the rest of it is written. */
const lastPart = 1024;

/**
 * Sends the body of a response. Of a large one, the end is sent when all before it was written: while a connection has
 * more to write than its buffer holds, Node pauses its parser at the next request, and may then take the body of that
 * request for an error and disconnect the client.
 */
async function sendWhole(
  body: string | Uint8Array,
  length: number,
  response: HttpResponse,
  writer: BatchedWriter,
): Promise<void> {
  let rest = body;
  if (length > response.writableHighWaterMark / 2) {
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    const first = bytes.subarray(0, -lastPart);
    rest = bytes.subarray(-lastPart);
    await new Promise<void>((resolve, reject) => {
      writer.add(() => {
        response.write(first, (error) => (error ? reject(error) : resolve()));
        return first.length;
      });
    });
  }
  // Responses are batched per turn of the event loop: waking a sleeping client costs more than serving a busy one.
  writer.add(() => {
    response.end(rest);
    return rest.length;
  });
}

/** Waits until the client has read what was sent; throws when it stalls. */
async function drained(response: HttpResponse, signal: AbortSignal, stallTimeout: number): Promise<void> {
  const stalled = new AbortController();
  const timer = setTimeout(() => stalled.abort(), stallTimeout);
  try {
    await once(response, 'drain', { signal: AbortSignal.any([signal, stalled.signal]) });
  } finally {
    clearTimeout(timer);
  }
}

/** Writes the parts together; returns false when the client is behind. */
function writeTogether(parts: readonly Uint8Array[], response: HttpResponse): boolean {
  let isTaken = true;
  response.cork();
  for (const part of parts) isTaken = response.write(part);
  response.uncork();
  return isTaken;
}

async function* piecesOf({ pieces }: Payload): AsyncGenerator<readonly Uint8Array[]> {
  for (const piece of pieces?.() ?? []) {
    yield piece;
    // Encoding the next chunk takes a while: yield first.
    await setImmediate();
  }
}
