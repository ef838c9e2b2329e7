// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { watch, type Controller } from '@forge/runtime/controller/controller.ts';
import { releaseObject } from '@forge/runtime/controller/finalizers.ts';
import { finalizerOf, type KorcObject } from './korc-object.ts';

/** A kind whose objects put guards on others. */
export interface Referrer {
  kind: Kind<KorcObject>;
  /** The names of the objects that an object guards. */
  readonly names: (object: KorcObject) => readonly string[];
}

/** Removes guards from a terminating target once no referrer of that kind remains; other targets keep them. */
export function deletionGuardController<T extends KubeObject>(
  target: Kind<T>,
  referrers: readonly Referrer[],
): Controller {
  return {
    name: `korc-${target.singular}-deletion-guard`,
    for: target,
    predicate: ({ after }) => after?.metadata.deletionTimestamp !== undefined,
    watches: referrers.map(({ kind, names }) =>
      watch(kind, (object) => names(object).map((name) => ({ namespace: object.metadata.namespace, name }))),
    ),
    async reconcile(ref, context) {
      const object = context.cache.get(target, ref);
      if (object?.metadata.deletionTimestamp === undefined) return undefined;
      const { namespace, name, uid } = object.metadata;
      const isReferrer = (names: Referrer['names']) => (each: KorcObject) =>
        names(each).includes(name) && each.metadata.ownerReferences?.some((owner) => owner.uid === uid) !== true;
      const released = referrers
        .filter(({ kind, names }) => !context.cache.list(kind, { namespace }).some(isReferrer(names)))
        .map(({ kind }) => finalizerOf(kind));
      await releaseObject(target, object, { finalizers: (each) => released.includes(each) }, context);
      return undefined;
    },
  };
}
