// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { parseLabelSelector } from '@forge/kube/selectors/parse-label-selector.ts';
import { matchesLabels } from '@forge/kube/selectors/selector.ts';
import { now, type Duration } from '../environment/duration.ts';
import { listAndWatch, type ListAndWatchOptions } from './list-and-watch.ts';
import { namespaceStores, type ReadStore } from './namespace-stores.ts';
import { objectStore, type ObjectStore } from './object-store.ts';

/** Which objects an informer watches. */
export interface InformerScope {
  readonly kind: Kind;
  readonly labels: string | undefined;
  /** Undefined for all. */
  readonly namespaces: readonly string[] | undefined;
}

/** The objects of a kind, as one watch shows them, or one for each namespace. */
export interface Informer extends InformerScope {
  readonly store: ReadStore;
  readonly feeds: readonly Feed[];
  /** One predicate for each reader: the objects it reads. */
  readonly readers: ((object: KubeObject) => boolean)[];
  readonly onInstalled: ((installed: boolean) => void)[];
  /** Whether the start goes on while the server refuses access: unless a reader objects. */
  optional: boolean;
}

/** One list and watch, and what it has shown. */
export interface Feed {
  readonly namespace: string | undefined;
  readonly store: ObjectStore;
  listed: boolean;
  installed: boolean;
  /** When the server last sent anything, by the monotonic clock. */
  lastActivity: number;
  /** How long it may be silent from then on. */
  maxSilence: Duration;
}

/** An informer that does not watch yet. */
export function informer(
  scope: InformerScope,
  { fieldManagers, time }: { fieldManagers: ReadonlySet<string>; time: number },
): Informer {
  const requirements = parseLabelSelector(scope.labels ?? '');
  const readers: Informer['readers'] = [];
  const feedOf = (namespace: string | undefined): Feed => ({
    namespace,
    store: objectStore(fieldManagers, {
      ...(scope.kind.confidential === true && { isRead: (object) => readers.some((reads) => mayRead(reads, object)) }),
      selects: ({ metadata }) =>
        (namespace === undefined || metadata.namespace === namespace) && matchesLabels(requirements, metadata.labels),
    }),
    listed: false,
    installed: true,
    lastActivity: time,
    maxSilence: now,
  });
  const feeds = (scope.namespaces ?? [undefined]).map(feedOf);
  const [first, second] = feeds;
  const store =
    first !== undefined && second === undefined
      ? first.store
      : namespaceStores(new Map(feeds.map((feed) => [feed.namespace ?? '', feed.store])));
  return { ...scope, store, feeds, readers, onInstalled: [], optional: true };
}

/**
 * Watches until the signal aborts; resolves when the kind has been listed. If the informer is optional, it also resolves when
 * the server refuses access: a namespace that was deleted with its Role must not stop the others.
 */
export function startFeed(
  feed: Feed,
  { kind, labels, optional, onInstalled }: Informer,
  context: Omit<ListAndWatchOptions<KubeObject>, 'kind' | 'namespace' | 'store' | 'onListed'> & { onListed(): void },
): Promise<void> {
  const { clock } = context;
  return new Promise((resolve) => {
    const activity = (silence: Duration) =>
      Object.assign(feed, { lastActivity: clock.monotonic(), maxSilence: silence });
    const callbacks = {
      onListed(installed: boolean) {
        const isFirst = !feed.listed;
        feed.listed = true;
        resolve();
        if (isFirst) context.onListed();
        if (feed.installed === installed) return;
        feed.installed = installed;
        for (const handler of onInstalled) handler(installed);
      },
      onForbidden() {
        if (!optional) return;
        activity(now);
        resolve();
      },
      onActivity: activity,
    };
    const { namespace, store } = feed;
    void listAndWatch({ ...context, kind, namespace, labelSelector: labels, store, ...callbacks }).then(resolve);
  });
}

/** Whether the reader may read the object; also when its predicate throws. */
function mayRead(reads: (object: KubeObject) => boolean, object: KubeObject): boolean {
  try {
    return reads(object);
  } catch {
    return true;
  }
}
