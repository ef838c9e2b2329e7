// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '../kinds/kind.ts';
import type { KubeObject } from '../objects/object.ts';
import type { ListOptions } from './client-options.ts';
import type { Client, ObjectList } from './client.ts';

interface Asked<T> {
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
  let wanted: Asked<T> | undefined = ask(options);
  let following: Asked<T> | undefined;

  function ask(from: ListOptions): Asked<T> {
    const onContinue = (token: string): void => {
      asked.next = token;
      askFurther();
    };
    const asked: Asked<T> = { page: client.list(kind, { ...from, onContinue }), next: undefined };
    // A refusal is for who comes for that page.
    asked.page.catch(() => undefined);
    return asked;
  }

  function askFurther(): void {
    if (wanted?.next !== undefined) following ??= ask({ ...rest, continue: wanted.next });
  }

  while (wanted !== undefined) {
    const page: ObjectList<T> = await wanted.page;
    wanted.next = page.continue;
    askFurther();
    wanted = following;
    following = undefined;
    askFurther();
    yield page;
  }
}
