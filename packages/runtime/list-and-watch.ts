// SPDX-License-Identifier: Apache-2.0
import { isRefusal } from '@forge/kube/api-error.ts';
import type { Client } from '@forge/kube/client.ts';
import { collectionPath, type Kind } from '@forge/kube/kind.ts';
import type { KubeObject } from '@forge/kube/object.ts';
import { pages } from '@forge/kube/pages.ts';
import { backoffDelay, type Backoff } from './backoff.ts';
import { sleep, type Clock } from './clock.ts';
import { milliseconds, now, seconds } from './duration.ts';
import type { Logger } from './logger.ts';
import type { ObjectStore } from './object-store.ts';
import type { Random } from './random.ts';
import { retryAfter } from './reconcile-error.ts';
import { untilInstalled } from './until-installed.ts';

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
  /** Called whenever the server tells something, be it that nothing happened. */
  onHeard?: () => void;
  signal: AbortSignal;
}

const pageSize = 1000;
const backoff: Backoff = { base: milliseconds(500), cap: seconds(30) };
// The server ends a watch with a bookmark; one that is silent for longer hangs on a dead connection.
const watchSeconds = 50;
const longestSilence = seconds(60);

/**
 * Keeps a store in step with the server until the signal aborts.
 *
 * Guarantees: no change is missed: a watch that ends or breaks is resumed from the last version it told, and only a
 * version the server no longer has (410) costs a new list. A kind that is not installed counts as empty until it is.
 */
export async function listAndWatch<T extends KubeObject>(options: ListAndWatchOptions<T>): Promise<void> {
  const { clock, random, kind, store, signal, onListed, onHeard = () => {} } = options;
  const log = options.log.with({ kind: kind.kind });
  let version: string | undefined;
  let failures = 0;

  async function listOnce(): Promise<string> {
    const { client, namespace, labelSelector } = options;
    const { fieldManagers } = store;
    const told = pages(client, kind, { namespace, labelSelector, limit: pageSize, fieldManagers, signal });
    const listed = await store.replace(told);
    onHeard();
    onListed(true);
    return listed;
  }

  /** Follows one watch to its end, or to a silence in which at least a bookmark should have come; tells whether it was of use. */
  async function watchOnce(from: string): Promise<boolean> {
    const { client, namespace, labelSelector } = options;
    const silence = silenceOf(clock);
    const watched = client.watch(kind, {
      namespace,
      labelSelector,
      resourceVersion: from,
      bookmarks: true,
      timeoutSeconds: watchSeconds,
      signal: AbortSignal.any([signal, silence.signal]),
    });
    let useful = false;
    try {
      for await (const event of watched) {
        silence.broken();
        store.observe(event);
        onHeard();
        version = event.object.metadata.resourceVersion ?? version;
        failures = 0;
        useful = true;
      }
    } catch (error) {
      if (!silence.signal.aborted) throw error;
    } finally {
      silence.end();
    }
    return useful;
  }

  /** Waits for the kind to be installed, and a moment: a server may know of it before it serves it, or not tell us at all. */
  async function kindOrMoment(): Promise<void> {
    const silence = silenceOf(clock);
    const heard = () => {
      silence.broken();
      onHeard();
    };
    try {
      const either = AbortSignal.any([signal, silence.signal]);
      await untilInstalled(options.client, kind, { watchSeconds, signal: either, onHeard: heard });
    } catch {
      // Without the right to be told, the moment must do.
    } finally {
      silence.end();
    }
    failures += 1;
    await sleep(clock, backoffDelay(backoff, failures, random), signal);
  }

  for (;;) {
    let pause = now;
    try {
      version ??= await listOnce();
      if (await watchOnce(version)) continue;
    } catch (error) {
      if (signal.aborted) return;
      if (isRefusal(error, 'NotFound')) {
        log.debug(`${kind.plural}.${kind.group} is not installed`);
        store.clear();
        onHeard();
        onListed(false);
        version = undefined;
        await kindOrMoment().catch(() => undefined);
        continue;
      } else if (isRefusal(error, 'Gone', 'Expired')) {
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

/** Aborts its signal when nothing has broken it for too long. */
function silenceOf(clock: Clock): { signal: AbortSignal; broken(): void; end(): void } {
  const tooLong = new AbortController();
  let since = clock.now();
  let cancel = clock.after(longestSilence, look);

  // Events come in thousands: they move no timer, only the time it looks at.
  function look(): void {
    // Since a clock was set back, it has been silent for at least as long as we look.
    since = Math.min(since, clock.now());
    const left = since + longestSilence - clock.now();
    if (left <= 0) tooLong.abort();
    else cancel = clock.after(left, look);
  }

  return {
    signal: tooLong.signal,
    broken() {
      since = clock.now();
    },
    end: () => cancel(),
  };
}
