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
  let page = await client.list(kind, options);
  yield page;
  while (page.continue !== undefined) {
    const { resourceVersion: _, resourceVersionMatch: __, ...rest } = options;
    page = await client.list(kind, { ...rest, continue: page.continue });
    yield page;
  }
}
