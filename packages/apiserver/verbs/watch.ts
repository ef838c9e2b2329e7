// SPDX-License-Identifier: Apache-2.0
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '@forge/runtime/environment/clock.ts';
import { jsonPayload, type Payload } from '../messages/payload.ts';
import { inSlices, Slice } from '../messages/slices.ts';
import { expired } from '../messages/status-errors.ts';
import { resourceOf, type Change, type Store } from '../storage/store.ts';
import { StoredObject, eventPayload, type EventType } from '../storage/stored-object.ts';
import type { View } from '../views/view.ts';
import type { ObjectFilter } from './selection.ts';

/** Options of a watch. */
export interface WatchOptions {
  /** Key prefix of the watched objects. */
  prefix: string;
  selects: ObjectFilter;
  view: View;
  /** The revision to resume from; undefined to start with the current objects. */
  from: number | undefined;
  bookmarks: boolean;
  /** Send a bookmark after the initial events. */
  markInitialEnd: boolean;
  /** Kind and apiVersion of bookmarks. */
  kind: { kind: string; apiVersion: string };
  /** Timeout in milliseconds. */
  timeout: number | undefined;
  signal: AbortSignal | undefined;
  /** Called on start; returns a function that is called at the end. */
  onStart?: () => () => void;
}

const bookmarkInterval = 60_000;

/**
 * Yields every change of the selected objects, in order and once, until the client aborts or the timeout expires. A
 * watcher is a position in the store's history, not a queue: a slow one costs nothing, and gets 410 when its position
 * is compacted.
 */
export async function* watch(store: Store, clock: Clock, options: WatchOptions): AsyncGenerator<Payload> {
  const { prefix, selects, view, signal } = options;
  const end = options.onStart?.();
  const wakeup = wakeSignal();
  const due = { bookmark: false, end: false };
  const unsubscribe = store.subscribe(resourceOf(prefix), wakeup.wake);
  signal?.addEventListener('abort', wakeup.wake, { once: true });
  const cancelEnd = options.timeout === undefined ? nothing : clock.after(options.timeout, () => markDue('end'));
  let cancelBookmark = nothing;

  function markDue(what: keyof typeof due): void {
    due[what] = true;
    wakeup.wake();
  }

  function scheduleBookmark(): void {
    if (options.bookmarks) cancelBookmark = clock.after(bookmarkInterval, () => markDue('bookmark'));
  }

  try {
    let position = options.from ?? store.published;
    if (options.from === undefined) {
      const start = store.at(position) ?? store.current;
      position = start.revision;
      for await (const slice of inSlices(start.objects.withPrefix(prefix), ({ size }) => size)) {
        for (const object of slice) if (selects(object)) yield view.event('ADDED', object);
      }
      if (options.markInitialEnd) yield bookmark(options, position, { 'k8s.io/initial-events-end': 'true' });
    }
    scheduleBookmark();
    const slice = new Slice();
    for (;;) {
      if (position < store.oldest) {
        const gone = expired(`too old resource version: ${position} (${store.oldest})`);
        yield eventPayload('ERROR', jsonPayload(gone.status));
        return;
      }
      if (signal?.aborted === true || store.closed) return;
      const change = store.change(position + 1);
      if (change !== undefined) {
        position = change.revision;
        const event = change.object.key.startsWith(prefix) ? eventOf(change, selects, store) : undefined;
        if (event !== undefined) yield view.event(event.type, event.object);
        // A watch that resumes may have many changes to look at.
        if (slice.isFilledBy(change.object.size)) await setImmediate();
      } else if (due.bookmark || (due.end && options.bookmarks)) {
        due.bookmark = false;
        yield bookmark(options, position, undefined);
        if (due.end) return;
        scheduleBookmark();
      } else if (due.end) {
        return;
      } else {
        await wakeup.next();
      }
    }
  } finally {
    signal?.removeEventListener('abort', wakeup.wake);
    unsubscribe();
    cancelEnd();
    cancelBookmark();
    end?.();
  }
}

function nothing(): void {}

/** The event of a change for a watcher with selectors: an object that no longer matches is DELETED. */
function eventOf(
  change: Change,
  selects: ObjectFilter,
  store: Store,
): { type: EventType; object: StoredObject } | undefined {
  const { type, object, before } = change;
  const was = before !== undefined && selects(before);
  const is = type !== 'DELETED' && selects(object);
  if (is) return { type: was ? 'MODIFIED' : 'ADDED', object };
  if (!was) return undefined;
  return { type: 'DELETED', object: type === 'DELETED' ? object : store.departed(change) };
}

function bookmark({ kind, view }: WatchOptions, revision: number, annotations?: Record<string, string>): Payload {
  const metadata = { resourceVersion: String(revision), ...(annotations !== undefined && { annotations }) };
  // A bookmark has no name, only a resourceVersion.
  const object = { ...kind, metadata: metadata as StoredObject['value']['metadata'] };
  return view.event('BOOKMARK', new StoredObject('', revision, object));
}

/** `next()` resolves once `wake()` has been called since the last time. */
function wakeSignal(): { wake: () => void; next(): Promise<void> } {
  let pending = Promise.withResolvers<void>();
  return {
    wake: () => pending.resolve(),
    async next() {
      await pending.promise;
      pending = Promise.withResolvers<void>();
    },
  };
}
