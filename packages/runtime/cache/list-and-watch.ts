// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import { pages } from '@forge/kube/client/pages.ts';
import { isApiError } from '@forge/kube/errors/api-error.ts';
import { collectionPath, type Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { backoffDelay, type Backoff } from '../environment/backoff.ts';
import { sleep, type Clock } from '../environment/clock.ts';
import { milliseconds, now, seconds, type Duration } from '../environment/duration.ts';
import type { Random } from '../environment/random.ts';
import type { Logger } from '../observability/logger.ts';
import { retryAfter } from '../queue/reconcile-error.ts';
import { inactivityTimer, watchTimeoutSeconds } from './inactivity-timer.ts';
import type { ObjectStore } from './object-store.ts';
import { waitUntilInstalled } from './wait-until-installed.ts';

/** A server sends a bookmark about every minute; one this late means a hung connection. */
export const maxSilence = seconds(75);

/** What is listed and watched, and who is notified. */
export interface ListAndWatchOptions<T extends KubeObject> {
  client: Client;
  clock: Clock;
  random: Random;
  log: Logger;
  kind: Kind<T>;
  namespace: string | undefined;
  labelSelector?: string | undefined;
  store: ObjectStore<T>;
  /** Called after every list, also when the kind turned out not to be installed. */
  onListed: (installed: boolean) => void;
  /** Called when the server refuses the list or the watch. */
  onForbidden?: () => void;
  /** Called whenever the server sends something, with how long it may be silent from then on. */
  onActivity?: (silence: Duration) => void;
  signal: AbortSignal;
}

const pageSize = 500;
const backoff: Backoff = { base: milliseconds(500), cap: seconds(30) };
/** A watch that lasted this long was useful, even without events. */
const minUsefulWatch = seconds(30);
/** How many seconds a server may take beyond the timeout to end a watch. */
const grace = 30;
/** After this many watches in a row without a bookmark, the server is assumed to send none. */
const maxSilentWatches = 8;
/** An event this soon after opening a watch should have been delivered by the previous one. */
const soon = seconds(1);

/**
 * Keeps a store in sync with the server until the signal aborts.
 *
 * Guarantees: no change is missed: a watch that ends or breaks is resumed from the last resource version, and only an
 * expired version (410) costs a new list. A kind that is not installed counts as empty until it is installed. A hung
 * connection is detected by missing bookmarks, in little more than a minute; if the server sends no bookmarks, it is detected
 * when the watch should have timed out.
 */
export async function listAndWatch<T extends KubeObject>(options: ListAndWatchOptions<T>): Promise<void> {
  const { clock, random, kind, store, signal, onListed, onActivity = () => {} } = options;
  const log = options.log.with({ kind: kind.kind });
  let version: string | undefined;
  let failures = 0;
  /** How many watches in a row have been silent for too long without having missed an event. */
  let silentWatches = 0;
  /** Whether a bookmark has ever arrived: from then on a long silence means a hung connection. */
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

  /** Reads one watch until it ends or has been silent for too long; returns whether it was useful. */
  async function watchOnce(from: string): Promise<boolean> {
    const { client, namespace, labelSelector } = options;
    const timeoutSeconds = watchTimeoutSeconds(random);
    const silence = inactivityTimer(clock, maxSilence);
    let opened: number | undefined;
    const alive = () => {
      opened ??= clock.monotonic();
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
        else if (clock.monotonic() - (opened ?? 0) <= soon) silentWatches = 0;
        alive();
        store.observe(event);
        version = event.object.metadata.resourceVersion ?? version;
        isUseful = true;
        failures = 0;
      }
      isUseful ||= clock.monotonic() - (opened ?? Infinity) >= minUsefulWatch;
    } catch (error) {
      if (!silence.signal.aborted) throw error;
      if (opened !== undefined) missedBookmark();
    } finally {
      silence.stop();
    }
    return isUseful;
  }

  function missedBookmark(): void {
    // The watch could be opened: a short pause, which only spreads the load, is enough.
    failures = 0;
    silentWatches += 1;
    if (hasBookmarks || silentWatches !== maxSilentWatches) return;
    log.info(
      'the API server sends no bookmarks; a hung connection is detected only when the watch should have timed out',
    );
  }

  /** Waits until the kind is installed, then a moment: a server may announce it before it serves it, or not allow the watch. */
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
      // Not allowed to watch CRDs: the delay alone must do.
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
        log.info('the resource version of the watch has expired; listing again');
        version = undefined;
      } else {
        log.warn('cannot list or watch; retrying', { path: collectionPath(kind, options.namespace), error });
        if (isApiError(error, 'Forbidden')) options.onForbidden?.();
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
