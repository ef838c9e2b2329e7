// SPDX-License-Identifier: Apache-2.0
import type { ListOptions } from './client-options.ts';
import type { Client, ObjectList } from './client.ts';
import type { Kind } from './kind.ts';
import type { KubeObject } from './object.ts';

/** Reads a collection page by page, all of them true for one version; the server may say 410 when that takes too long. */
export async function* pages<T extends KubeObject>(
  client: Pick<Client, 'list'>,
  kind: Kind<T>,
  options: ListOptions & { limit: number },
): AsyncGenerator<ObjectList<T>> {
  const { resourceVersion: _, resourceVersionMatch: __, ...rest } = options;
  let next: Promise<ObjectList<T>> | undefined = client.list(kind, options);
  while (next !== undefined) {
    const page: ObjectList<T> = await next;
    // Asked for before this one is read, so that the server and the reader work at the same time.
    next = page.continue === undefined ? undefined : client.list(kind, { ...rest, continue: page.continue });
    // A refusal is for who comes for that page.
    next?.catch(() => undefined);
    yield page;
  }
}
