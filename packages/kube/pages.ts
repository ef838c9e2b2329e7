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
  /** The page the reader comes for, and the one after it when it is already asked for: server and reader work at the same time. */
  let wanted: Promise<ObjectList<T>> | undefined = ask(options);
  let following: Promise<ObjectList<T>> | undefined;

  function ask(from: ListOptions): Promise<ObjectList<T>> {
    const onContinue = (token: string): void => {
      if (page === wanted) following = ask({ ...rest, continue: token });
    };
    const page = client.list(kind, { ...from, onContinue });
    // A refusal is for who comes for that page.
    page.catch(() => undefined);
    return page;
  }

  while (wanted !== undefined) {
    const page: ObjectList<T> = await wanted;
    wanted = following ?? (page.continue === undefined ? undefined : ask({ ...rest, continue: page.continue }));
    following = undefined;
    yield page;
  }
}
