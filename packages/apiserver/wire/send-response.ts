// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import type { ServerResponse as HttpResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { Payload } from '../messages/payload.ts';
import type { ServerResponse } from '../messages/server-request.ts';
import type { BatchedWriter } from './batched-writer.ts';
import { relayUpgrade } from './relay-upgrade.ts';
import { sendEvents } from './send-events.ts';

/** Sends a response over HTTP: small ones in one write, large ones as fast as the client reads. */
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
    return sendWhole(result.text, Buffer.byteLength(result.text), response, { writer, stallTimeout });
  }
  if ('headers' in result) return relayUpgrade(response, result.headers, result.bytes);
  const contentType = result.contentType ?? 'application/json';
  const body = 'payload' in result ? bodyOf(result.payload, response.req.method) : undefined;
  if (typeof body === 'string' || body instanceof Uint8Array) {
    const length = Buffer.byteLength(body);
    response.writeHead(result.status, { 'content-type': contentType, 'content-length': length });
    return sendWhole(body, length, response, { writer, stallTimeout });
  }
  const headers = 'bytes' in result ? result.backendHeaders : undefined;
  response.writeHead(result.status, headers ?? (contentType === '' ? {} : { 'content-type': contentType }));
  response.flushHeaders();
  if ('events' in result) return sendEvents(result.events, response, writer, stallTimeout);
  for await (const piece of 'bytes' in result ? result.bytes : inTurns(body ?? [])) {
    const isTaken = piece instanceof Uint8Array ? response.write(piece) : writeTogether(piece, response);
    if (!isTaken) await drained(response, signal, stallTimeout);
  }
  response.end();
}

/** How many bytes at the end of a large response are held back until the rest is written. */
const lastPart = 1024;

/** How much of a large response a client must read before its time is over. */
const largestPart = 256 * 1024;

/**
 * Sends the body of a response. The end of a large one is sent after the rest has been written: while a connection has
 * more to write than its buffer holds, Node pauses its parser at the next request, and may then report the body of that
 * request as an error and disconnect the client.
 */
async function sendWhole(
  body: string | Uint8Array,
  length: number,
  response: HttpResponse,
  { writer, stallTimeout }: { writer: BatchedWriter; stallTimeout: number },
): Promise<void> {
  let rest = body;
  if (length > response.writableHighWaterMark / 2) {
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    const first = bytes.subarray(0, -lastPart);
    rest = bytes.subarray(-lastPart);
    for (let at = 0; at < first.length; at += largestPart) {
      await written(first.subarray(at, at + largestPart), response, writer, stallTimeout);
    }
  }
  // Responses are batched per turn of the event loop: waking a sleeping client costs more than serving a busy one.
  writer.add(() => {
    response.end(rest);
    return rest.length;
  });
}

/** Writes a part, and waits until it has left; throws when the client stalls or disconnects. */
function written(part: Uint8Array, response: HttpResponse, writer: BatchedWriter, stallTimeout: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  writer.add(() => {
    const stalled = setTimeout(() => reject(new Error('the client reads nothing')), stallTimeout);
    response.write(part, (error) => {
      clearTimeout(stalled);
      if (error) reject(error);
      else resolve();
    });
    return part.length;
  });
  return promise;
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

/** Up to so many parts are concatenated: copying few is cheaper than sending each. */
const fewParts = 100;

/** The body of a response; the pieces of one that is not encoded in one turn of the event loop. */
function bodyOf(payload: Payload, method: string | undefined): string | Uint8Array | Iterable<readonly Uint8Array[]> {
  if (payload.pieces === undefined) {
    // Objects that are read will be read again, so caching their bytes pays off; written ones may never be.
    return (method === 'GET' ? undefined : payload.text) ?? payload.bytes;
  }
  const pieces = Iterator.from(payload.pieces());
  const first = pieces.next().value ?? [];
  const second = pieces.next();
  if (second.done === true && first.length <= fewParts) return Buffer.concat(first);
  return (function* () {
    yield first;
    if (second.done !== true) yield second.value;
    yield* pieces;
  })();
}

async function* inTurns(pieces: Iterable<readonly Uint8Array[]>): AsyncGenerator<readonly Uint8Array[]> {
  for (const piece of pieces) {
    yield piece;
    // Encoding the next chunk takes a while: yield first.
    await setImmediate();
  }
}
