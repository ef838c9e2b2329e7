// SPDX-License-Identifier: Apache-2.0
import { isRefusal } from '@forge/kube/api-error.ts';
import type { Client } from '@forge/kube/client.ts';
import { collectionPath, type Kind } from '@forge/kube/kind.ts';
import type { KubeObject } from '@forge/kube/object.ts';
import { backoffDelay, type Backoff } from './backoff.ts';
import { sleep, type Clock } from './clock.ts';
import { milliseconds, minutes, seconds } from './duration.ts';
import type { Logger } from './logger.ts';
import type { ObjectStore } from './object-store.ts';
import type { Random } from './random.ts';

interface ListAndWatchOptions<T extends KubeObject> {
  client: Client;
  clock: Clock;
  random: Random;
  log: Logger;
  kind: Kind<T>;
  namespace: string | undefined;
  store: ObjectStore<T>;
  /** Called after every list, also when it told that the kind is not installed. */
  onListed: () => void;
  signal: AbortSignal;
}

const pageSize = 500;
const backoff: Backoff = { base: milliseconds(500), cap: seconds(30) };
// Servers send a bookmark about once a minute: a watch that is silent for so long is dead.
const longestSilence = minutes(5);

/**
 * Keeps a store in step with the server until the signal aborts.
 *
 * Guarantees: no change is missed: a watch that ends or breaks is resumed from the last version it told, and only a
 * version the server no longer has (410) costs a new list. A kind that is not installed counts as empty until it is.
 */
export async function listAndWatch<T extends KubeObject>(options: ListAndWatchOptions<T>): Promise<void> {
  const { clock, random, kind, store, signal, onListed } = options;
  const log = options.log.with({ kind: kind.kind });
  let version: string | undefined;
  let failures = 0;

  async function listOnce(): Promise<string> {
    const list = await listAll(options);
    store.replace(list.items, list.resourceVersion);
    onListed();
    return list.resourceVersion;
  }

  async function watchOnce(from: string): Promise<void> {
    for await (const event of watchUntilSilent(options, from)) {
      store.observe(event);
      version = event.object.metadata.resourceVersion ?? version;
      failures = 0;
    }
  }

  for (;;) {
    try {
      version ??= await listOnce();
      await watchOnce(version);
    } catch (error) {
      if (signal.aborted) return;
      if (isRefusal(error, 'NotFound')) {
        log.debug(`${kind.plural}.${kind.group} is not installed`);
        store.clear();
        onListed();
        version = undefined;
      } else if (isRefusal(error, 'Gone', 'Expired')) {
        log.info('the watch fell behind, listing again');
        version = undefined;
      } else {
        log.warn('cannot follow the API server, trying again', { path: collectionPath(kind), error });
      }
    }
    failures += 1;
    try {
      await sleep(clock, backoffDelay(backoff, failures, random), signal);
    } catch {
      return;
    }
  }
}

async function listAll<T extends KubeObject>({
  client,
  kind,
  namespace,
  signal,
}: ListAndWatchOptions<T>): Promise<{ items: T[]; resourceVersion: string }> {
  const items: T[] = [];
  let next: string | undefined;
  for (;;) {
    const page = await client.list(kind, {
      namespace,
      limit: pageSize,
      signal,
      ...(next !== undefined && { continue: next }),
    });
    items.push(...page.items);
    next = page.continue;
    if (next === undefined) return { items, resourceVersion: page.resourceVersion };
  }
}

/** The watch's events, ended after a silence in which at least a bookmark should have come. */
async function* watchUntilSilent<T extends KubeObject>(
  { client, clock, kind, namespace, signal }: ListAndWatchOptions<T>,
  resourceVersion: string,
) {
  const silence = new AbortController();
  let cancel = clock.after(longestSilence, () => silence.abort());
  try {
    for await (const event of client.watch(kind, {
      namespace,
      resourceVersion,
      bookmarks: true,
      signal: AbortSignal.any([signal, silence.signal]),
    })) {
      cancel();
      cancel = clock.after(longestSilence, () => silence.abort());
      yield event;
    }
  } catch (error) {
    if (!silence.signal.aborted) throw error;
  } finally {
    cancel();
  }
}
