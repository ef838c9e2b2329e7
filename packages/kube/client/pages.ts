// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '../kinds/kind.ts';
import type { KubeObject } from '../objects/object.ts';
import type { ListOptions } from './client-options.ts';
import type { Client, ObjectList } from './client.ts';

interface PendingPage<T> {
  page: Promise<ObjectList<T>>;
  /** Where the list goes on after it, as soon as that is known. */
  next: string | undefined;
}

/** Reads a collection page by page, all of them true for one version; the server may say 410 when that takes too long. */
export async function* pages<T extends KubeObject>(
  client: Pick<Client, 'list'>,
  kind: Kind<T>,
  options: ListOptions & { limit: number },
): AsyncGenerator<ObjectList<T>> {
  const { resourceVersion: _, resourceVersionMatch: __, ...rest } = options;
  /** The page the reader comes for, and the one after it, asked for early: server and reader work at the same time. */
  let current: PendingPage<T> | undefined = requestPage(options);
  let prefetched: PendingPage<T> | undefined;

  function requestPage(from: ListOptions): PendingPage<T> {
    const onContinue = (token: string): void => {
      pending.next = token;
      prefetch();
    };
    const pending: PendingPage<T> = { page: client.list(kind, { ...from, onContinue }), next: undefined };
    // A refusal is for who comes for that page.
    pending.page.catch(() => undefined);
    return pending;
  }

  function prefetch(): void {
    if (current?.next !== undefined) prefetched ??= requestPage({ ...rest, continue: current.next });
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
