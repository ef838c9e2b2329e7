// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { ObjectRef } from '@forge/kube/objects/object.ts';
import { ContentNotCached } from '../cache/content-not-cached.ts';
import { scopedCache } from '../cache/scoped-cache.ts';
import type { Services, Step, StepResource } from '../steps/step.ts';
import type { PassContext } from './context/build-step-context.ts';

/** How many objects without content a step may encounter in one run besides those it declares to read. */
const maxUndeclared = 10;

/**
 * Runs a step once the content of the Secrets that it reads is cached.
 *
 * Guarantees: the objects of its `reads` are cached before it runs; this costs one request for each newly referenced
 * object, none afterwards. When a step encounters another object without content, such as somebody else's under a name that
 * the step uses, that object is fetched and the step runs again.
 */
export async function withContent<T extends StepResource, S extends Services, R>(
  { object, services, reconcile }: PassContext<T, S>,
  step: Step<T, S>,
  run: () => Promise<R>,
): Promise<R> {
  const { cache, client, signal } = reconcile(step.name);

  async function hold(kind: Kind, ref: ObjectRef): Promise<void> {
    const found = await client.find(kind, ref, { signal });
    if (found !== undefined) cache.cacheContent(kind, found);
  }

  const named = step.reads
    .filter(({ kind, live }) => kind.confidential === true && !live)
    .flatMap((read) =>
      read.wanted(object, services.reading).flatMap((value) => {
        const selection = { ...read.selection?.(object), where: { index: read.index, value } };
        const unread = scopedCache(cache, read.watched).metadataOnly(read.kind, selection);
        return unread.map((ref) => hold(read.kind, ref));
      }),
    );
  await Promise.all(named);
  for (let met = 0; ; met += 1) {
    try {
      return await run();
    } catch (error) {
      const kind = error instanceof ContentNotCached ? declaredKind(step, error.kind) : undefined;
      if (!(error instanceof ContentNotCached) || kind === undefined || met === maxUndeclared) throw error;
      await hold(kind, error.ref);
    }
  }
}

function declaredKind<T extends StepResource, S extends Services>(step: Step<T, S>, name: string): Kind | undefined {
  return [...step.owns, ...step.reads].map(({ kind }) => kind).find((each) => each.confidential && each.kind === name);
}
