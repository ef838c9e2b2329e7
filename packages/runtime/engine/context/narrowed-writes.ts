// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { refOf, type KubeObject, type ObjectRef } from '@forge/kube/objects/object.ts';
import { cacheWith, scopedCache } from '../../cache/scoped-cache.ts';
import type { ReconcileContext } from '../../controller/controller.ts';
import { isSameKind } from '../../steps/owned.ts';
import { StepBug } from '../../steps/step-bug.ts';
import type { Services, Step, StepResource } from '../../steps/step.ts';
import { isWatchedBy } from '../../steps/watch-selector.ts';
import { checkAccepted } from './write-rejected.ts';

/** How a step writes objects of kinds of which it watches only those with some labels. */
export interface NarrowedWrites {
  /** Throws a StepBug for an object that the step's own watch would not show. */
  checkWatched(wanted: KubeObject, kind: Kind): void;
  /** The context as the watch of this kind shows the cluster. */
  scoped(kind: Kind): ReconcileContext;
  /** The same, with the object of this name even if it exists without the labels: that costs a request while it is not watched. */
  withUnwatched(kind: Kind, ref: ObjectRef): Promise<ReconcileContext>;
  /** The object of this name, fetched, if the watch of this kind would not show it; undefined for a kind that is watched as a whole. */
  unwatched<R extends KubeObject>(kind: Kind<R>, ref: ObjectRef): Promise<R | undefined>;
  /** The object with the labels that the watch needs: those of `wanted` are put back where somebody removed them. */
  labelled<R extends KubeObject>(kind: Kind<R>, live: R, wanted: R): Promise<R>;
}

/** The writes of a step under the selectors of its `owns`. */
export function narrowedWrites<T extends StepResource, S extends Services>(
  { name, owns }: Step<T, S>,
  reconcile: ReconcileContext,
): NarrowedWrites {
  const { cache, client, signal } = reconcile;
  const selectorOf = (kind: Kind) => owns.find((owned) => isSameKind(owned.kind, kind))?.selector;

  function scoped(kind: Kind): ReconcileContext {
    const selector = selectorOf(kind);
    return selector === undefined ? reconcile : { ...reconcile, cache: scopedCache(cache, { labels: selector.text }) };
  }

  return {
    scoped,

    checkWatched(wanted, kind) {
      const selector = selectorOf(kind);
      if (isWatchedBy(selector, wanted)) return;
      const what = `${kind.kind} ${wanted.metadata.name} without the labels of its selector ${selector?.text}`;
      throw new StepBug(`step ${name} writes ${what}: it would not be watched`);
    },

    async withUnwatched(kind, ref) {
      const context = scoped(kind);
      if (context === reconcile || context.cache.get(kind, ref) !== undefined) return context;
      const found = await client.find(kind, ref, { signal });
      return found === undefined ? context : { ...context, cache: cacheWith(context.cache, found) };
    },

    async unwatched(kind, ref) {
      const selector = selectorOf(kind);
      const found = selector === undefined ? undefined : await client.find(kind, ref, { signal });
      return found === undefined || isWatchedBy(selector, found) ? undefined : found;
    },

    async labelled(kind, live, wanted) {
      const selector = selectorOf(kind);
      if (selector === undefined || isWatchedBy(selector, live)) return live;
      const keys = selector.requirements.map(({ key }) => key);
      const labels = Object.fromEntries(keys.map((key) => [key, wanted.metadata.labels?.[key] ?? null]));
      const { uid, resourceVersion } = live.metadata;
      const patch = { metadata: { labels, uid, resourceVersion } };
      return await checkAccepted(kind, live, client.patch(kind, refOf(live), 'merge', patch, { signal }));
    },
  };
}
