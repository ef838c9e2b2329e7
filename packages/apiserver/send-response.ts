// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import type { ServerResponse as HttpResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { ServerResponse } from './server-request.ts';

/** Sends an answer over HTTP: what is short in one piece, what is long as fast as the caller takes it. */
export async function sendResponse(
  result: ServerResponse,
  response: HttpResponse,
  signal: AbortSignal,
  patience: number,
): Promise<void> {
  for (const warning of result.warnings ?? []) {
    response.appendHeader('Warning', `299 - "${warning.replaceAll(/["\\]/g, String.raw`\$&`)}"`);
  }
  if ('text' in result) {
    response.writeHead(result.status, {
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
    });
    response.end(result.text);
    return;
  }
  const contentType = result.contentType ?? 'application/json';
  if ('payload' in result && result.payload.pieces === undefined) {
    const { bytes } = result.payload;
    response.writeHead(result.status, { 'content-type': contentType, 'content-length': bytes.length });
    response.end(bytes);
    return;
  }
  response.writeHead(result.status, { 'content-type': contentType });
  response.flushHeaders();
  for await (const bytes of streamOf(result)) {
    if (!response.write(bytes)) await drained(response, signal, patience);
  }
  response.end();
}

/** Waits until the caller has taken what was sent; gives up when it takes nothing for longer than our patience. */
async function drained(response: HttpResponse, signal: AbortSignal, patience: number): Promise<void> {
  const stalled = new AbortController();
  const timer = setTimeout(() => stalled.abort(), patience);
  try {
    await once(response, 'drain', { signal: AbortSignal.any([signal, stalled.signal]) });
  } finally {
    clearTimeout(timer);
  }
}

async function* streamOf(result: Exclude<ServerResponse, { text: string }>): AsyncGenerator<Uint8Array> {
  if ('bytes' in result) yield* result.bytes;
  else if ('events' in result) for await (const { bytes } of result.events) yield bytes;
  else {
    for (const piece of result.payload.pieces?.() ?? []) {
      yield piece;
      // Making the next piece takes a while: others come first.
      await setImmediate();
    }
  }
}
