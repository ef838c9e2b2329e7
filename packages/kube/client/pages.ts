// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '../kinds/kind.ts';
import type { KubeObject } from '../objects/object.ts';
import type { ListOptions } from './client-options.ts';
import type { Client, ObjectList } from './client.ts';

interface PendingPage<T> {
  page: Promise<ObjectList<T>>;
  /** The continue token, as soon as it is known. */
  next: string | undefined;
}

/** By which factor a later page may be larger than the first. */
const maxGrowth = 4;

/**
 * Reads a collection page by page, all at one resource version; the server may respond 410 when that takes too long.
 * Pages of long lists grow: that saves requests, and a page is still small compared with those before it.
 */
export async function* pages<T extends KubeObject>(
  client: Pick<Client, 'list'>,
  kind: Kind<T>,
  options: ListOptions & { limit: number },
): AsyncGenerator<ObjectList<T>> {
  const { resourceVersion: _, resourceVersionMatch: __, ...rest } = options;
  /** The page to return, and the next one, requested early so that server and reader work in parallel. */
  let current: PendingPage<T> | undefined = requestPage(options);
  let prefetched: PendingPage<T> | undefined;
  let requested = options.limit;

  function requestPage(from: ListOptions): PendingPage<T> {
    const onContinue = (token: string): void => {
      pending.next = token;
      prefetch();
    };
    const pending: PendingPage<T> = { page: client.list(kind, { ...from, onContinue }), next: undefined };
    // An error is thrown when that page is awaited.
    pending.page.catch(() => undefined);
    return pending;
  }

  function prefetch(): void {
    if (current?.next === undefined || prefetched !== undefined) return;
    const limit = Math.min(Math.max(options.limit, Math.floor(requested / 2)), maxGrowth * options.limit);
    requested += limit;
    prefetched = requestPage({ ...rest, limit, continue: current.next });
  }

  while (current !== undefined) {
    const page: ObjectList<T> = await current.page;
    current.next = page.continue;
    prefetch();
    current = prefetched;
    prefetched = undefined;
    prefetch();
    yield page;
  }
}
