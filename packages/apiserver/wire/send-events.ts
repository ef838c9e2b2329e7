// SPDX-License-Identifier: Apache-2.0
import type { ServerResponse as HttpResponse } from 'node:http';
import type { Payload } from '../messages/payload.ts';
import type { BatchedWriter } from './batched-writer.ts';

/** Limits of buffered events and bytes per watch, before further events are read. */
const mostEvents = 16;
const mostBytes = 256 * 1024;

/**
 * Sends watch events as they occur, batched per turn of the event loop. A client that reads nothing for longer than the
 * stall timeout is disconnected; it does not delay others, and can resume.
 */
export async function sendEvents(
  events: AsyncIterable<Payload>,
  response: HttpResponse,
  writer: BatchedWriter,
  stallTimeout: number,
): Promise<void> {
  let waiting: Uint8Array[] = [];
  let size = 0;
  let taken = Promise.withResolvers<void>();
  let stalled: NodeJS.Timeout | undefined;

  function write(): number {
    if (stalled !== undefined || waiting.length === 0) return 0;
    const bytes = size;
    // Writes to a closed connection are dropped.
    const isTaken = response.destroyed || response.write(writer.joined(waiting));
    waiting = [];
    size = 0;
    if (isTaken) {
      resume();
    } else {
      stalled = setTimeout(() => response.destroy(), stallTimeout);
      response.once('drain', resume);
    }
    return bytes;
  }

  /** The client has read everything written so far. */
  function resume(): void {
    clearTimeout(stalled);
    stalled = undefined;
    taken.resolve();
    taken = Promise.withResolvers();
    if (waiting.length > 0) writer.add(write);
  }

  response.once('close', resume);
  for await (const { bytes } of events) {
    waiting.push(bytes);
    size += bytes.length;
    if (waiting.length === 1) writer.add(write);
    if (waiting.length >= mostEvents || size > mostBytes) await taken.promise;
  }
  // The last events may still be buffered.
  while (waiting.length > 0) await taken.promise;
  response.end();
}
