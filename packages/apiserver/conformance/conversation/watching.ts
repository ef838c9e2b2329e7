// SPDX-License-Identifier: Apache-2.0
import type { Wire } from '../wires/wire.ts';
import type { WatchEvent } from './exchange.ts';

/** An open watch; events that are taken are recorded. Fewer are returned when the server ends it. */
export interface Watching {
  /** The next events. */
  take(count: number): Promise<WatchEvent[]>;
  /** The events up to and including the first match. */
  takeUntil(wanted: (event: WatchEvent) => boolean): Promise<WatchEvent[]>;
  /** All events until the server ends the watch. */
  rest(): Promise<WatchEvent[]>;
}

/** Reads a watch in the background; taken events are added to `taken`. */
export function openWatch(wire: Wire, source: AsyncIterable<unknown>, taken: WatchEvent[]): Watching {
  const arrived: WatchEvent[] = [];
  let ended = false;

  async function read(): Promise<void> {
    try {
      for await (const event of source) arrived.push(event as WatchEvent);
    } finally {
      ended = true;
    }
  }

  /** Takes events once enough have arrived. */
  async function takeWhen(wanted: () => number | undefined): Promise<WatchEvent[]> {
    await wire.until(() => ended || wanted() !== undefined);
    const events = arrived.splice(0, wanted() ?? arrived.length);
    taken.push(...events);
    return events;
  }

  // The connection is closed at the end of the conversation.
  read().catch(() => {});
  return {
    take: (count) => takeWhen(() => (arrived.length < count ? undefined : count)),
    takeUntil: (wanted) => takeWhen(() => arrived.findIndex(wanted) + 1 || undefined),
    rest: () => takeWhen(() => undefined),
  };
}
