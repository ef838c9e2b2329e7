// SPDX-License-Identifier: Apache-2.0
import type { Wire } from '../wires/wire.ts';
import type { WatchEvent } from './exchange.ts';

/** An open watch; whatever is taken from it is recorded. Fewer events than wanted are given when the server ends it. */
export interface Watching {
  /** The next so many events. */
  take(count: number): Promise<WatchEvent[]>;
  /** The events up to and including the first that is as wanted. */
  takeUntil(wanted: (event: WatchEvent) => boolean): Promise<WatchEvent[]>;
  /** All events until the server ends the watch. */
  rest(): Promise<WatchEvent[]>;
}

/** Reads a watch in the background; what is taken is added to `taken`. */
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

  /** Takes as many of the arrived events as are wanted, as soon as that is a number. */
  async function takeWhen(wanted: () => number | undefined): Promise<WatchEvent[]> {
    await wire.until(() => ended || wanted() !== undefined);
    const events = arrived.splice(0, wanted() ?? arrived.length);
    taken.push(...events);
    return events;
  }

  // The end of the conversation breaks the connection: that is an end like any other.
  read().catch(() => {});
  return {
    take: (count) => takeWhen(() => (arrived.length < count ? undefined : count)),
    takeUntil: (wanted) => takeWhen(() => arrived.findIndex(wanted) + 1 || undefined),
    rest: () => takeWhen(() => undefined),
  };
}
