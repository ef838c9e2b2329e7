// SPDX-License-Identifier: Apache-2.0
import type { ServerResponse as HttpResponse } from 'node:http';
import type { Payload } from '../request/payload.ts';
import type { BatchedWriter } from './batched-writer.ts';

/** As many events and bytes as may wait for a caller before the next are asked for: few enough to keep nobody waiting. */
const mostEvents = 16;
const mostBytes = 256 * 1024;

/**
 * Sends the events of a watch as they come, those of one turn of the loop together. A caller that takes nothing for longer
 * than our patience is dropped; others do not wait for it, and it goes on where it was.
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

  function write(): void {
    if (stalled !== undefined || waiting.length === 0) return;
    // Nobody waits for a caller that is gone.
    const isTaken = response.destroyed || response.write(writer.joined(waiting));
    waiting = [];
    size = 0;
    if (isTaken) return resume();
    stalled = setTimeout(() => response.destroy(), stallTimeout);
    response.once('drain', resume);
  }

  /** The caller has taken all that was written. */
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
  // A caller that was slow to the last may have taken what came before only.
  while (waiting.length > 0) await taken.promise;
  response.end();
}
