// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import { pages } from '@forge/kube/client/pages.ts';
import { isApiError } from '@forge/kube/errors/api-error.ts';
import { collectionPath, type Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import type { Logger } from '../logging/logger.ts';
import { backoffDelay, type Backoff } from '../queue/backoff.ts';
import { retryAfter } from '../queue/reconcile-error.ts';
import type { Random } from '../random/random.ts';
import { sleep, type Clock } from '../time/clock.ts';
import { milliseconds, now, seconds, type Duration } from '../time/duration.ts';
import { maxSilence, inactivityTimer, watchTimeoutSeconds } from './inactivity-timer.ts';
import type { ObjectStore } from './object-store.ts';
import { waitUntilInstalled } from './wait-until-installed.ts';

interface ListAndWatchOptions<T extends KubeObject> {
  client: Client;
  clock: Clock;
  random: Random;
  log: Logger;
  kind: Kind<T>;
  namespace: string | undefined;
  labelSelector?: string | undefined;
  store: ObjectStore<T>;
  /** Called after every list, also when it showed that the kind is not installed. */
  onListed: (installed: boolean) => void;
  /** Called whenever the server shows that it is there, with how long it may be silent from then on. */
  onActivity?: (silence: Duration) => void;
  signal: AbortSignal;
}

const pageSize = 1000;
const backoff: Backoff = { base: milliseconds(500), cap: seconds(30) };
/** A watch that lasted so long was worth opening, even if it had nothing to report. */
const minUsefulWatch = seconds(30);
/** The server has so many seconds more to end a watch that has had its time. */
const grace = 30;
/** A server of whose first watches so many in a row have missed bookmarks, and nothing else, is one that sends none. */
const maxSilentWatches = 8;
/** What comes so soon in a new watch, the one before should have reported. */
const soon = seconds(1);

/**
 * Keeps a store in step with the server until the signal aborts.
 *
 * Guarantees: no change is missed: a watch that ends or breaks is resumed from the last version it told, and only a
 * version the server no longer has (410) costs a new list. A kind that is not installed counts as empty until it is.
 * A connection that is dead although it stands is noticed in little more than a minute, by the bookmarks that do not
 * come; behind a server that sends none, when the watch should have ended.
 */
export async function listAndWatch<T extends KubeObject>(options: ListAndWatchOptions<T>): Promise<void> {
  const { clock, random, kind, store, signal, onListed, onActivity = () => {} } = options;
  const log = options.log.with({ kind: kind.kind });
  let version: string | undefined;
  let failures = 0;
  /** How many watches in a row have been silent for too long without hiding anything. */
  let silentWatches = 0;
  /** Whether a bookmark has ever come: whoever is silent for too long from then on hangs. */
  let hasBookmarks = false;

  async function listOnce(): Promise<string> {
    const { client, namespace, labelSelector } = options;
    const { fieldManagers } = store;
    const received = pages(client, kind, { namespace, labelSelector, limit: pageSize, fieldManagers, signal });
    const listed = await store.replace(received);
    onActivity(now);
    onListed(true);
    return listed;
  }

  /** Follows one watch to its end, or until it has been silent for too long; returns whether it was worth opening. */
  async function watchOnce(from: string): Promise<boolean> {
    const { client, namespace, labelSelector } = options;
    const timeoutSeconds = watchTimeoutSeconds(random);
    const silence = inactivityTimer(clock, maxSilence);
    let opened: number | undefined;
    const alive = () => {
      opened ??= clock.now();
      const sendsBookmarks = hasBookmarks || silentWatches < maxSilentWatches;
      silence.restart(sendsBookmarks ? maxSilence : seconds(timeoutSeconds + grace));
      onActivity(sendsBookmarks ? now : seconds(timeoutSeconds));
    };
    const watched = client.watch(kind, {
      namespace,
      labelSelector,
      resourceVersion: from,
      bookmarks: true,
      timeoutSeconds,
      signal: AbortSignal.any([signal, silence.signal]),
      onOpen: alive,
    });
    let isUseful = false;
    try {
      for await (const event of watched) {
        if (event.type === 'BOOKMARK') hasBookmarks = true;
        else if (clock.now() - (opened ?? 0) <= soon) silentWatches = 0;
        alive();
        store.observe(event);
        version = event.object.metadata.resourceVersion ?? version;
        isUseful = true;
        failures = 0;
      }
      isUseful ||= clock.now() - (opened ?? Infinity) >= minUsefulWatch;
    } catch (error) {
      if (!silence.signal.aborted) throw error;
      if (opened !== undefined) missedBookmark();
    } finally {
      silence.stop();
    }
    return isUseful;
  }

  function missedBookmark(): void {
    // It was opened: no reason to wait longer than it takes to spread the load.
    failures = 0;
    silentWatches += 1;
    if (hasBookmarks || silentWatches !== maxSilentWatches) return;
    log.info('the API server sends no bookmarks; if it hangs, that is noticed only when a watch should have ended');
  }

  /** Waits for the kind to be installed, and a moment: a server may know of it before it serves it, or not tell us at all. */
  async function waitForKind(): Promise<void> {
    const silence = inactivityTimer(clock, maxSilence);
    const active = () => {
      silence.restart(maxSilence);
      onActivity(now);
    };
    try {
      const either = AbortSignal.any([signal, silence.signal]);
      await waitUntilInstalled(options.client, kind, { random, signal: either, onActivity: active });
    } catch {
      // Without the right to be told, the moment must do.
    } finally {
      silence.stop();
    }
    failures += 1;
    await sleep(clock, backoffDelay(backoff, failures, random), signal);
  }

  for (;;) {
    let pause = now;
    try {
      version ??= await listOnce();
      if (await watchOnce(version)) {
        failures = 0;
        continue;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (isApiError(error, 'NotFound')) {
        log.debug(`${kind.plural}.${kind.group} is not installed`);
        store.clear();
        onActivity(now);
        onListed(false);
        version = undefined;
        await waitForKind().catch(() => undefined);
        continue;
      } else if (isApiError(error, 'Gone', 'Expired')) {
        log.info('the watch fell behind, listing again');
        version = undefined;
      } else {
        log.warn('cannot follow the API server, trying again', { path: collectionPath(kind), error });
        pause = retryAfter(error);
      }
    }
    failures += 1;
    try {
      await sleep(clock, backoffDelay(backoff, failures, random, pause), signal);
    } catch {
      return;
    }
  }
}
