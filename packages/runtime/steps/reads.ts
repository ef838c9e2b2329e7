// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject, ObjectRef } from '@forge/kube/objects/object.ts';
import type { WatchScope } from '../cache/cache.ts';
import { byKey, type Index } from '../cache/object-index.ts';
import type { Change } from '../objects/change.ts';
import { keyOf } from '../objects/object-key.ts';
import type { Services, StepResource } from './step.ts';
import { watchSelector } from './watch-selector.ts';

/** Labels that an object must carry. */
export type Labels = Readonly<Record<string, string>>;

/** Which objects of a kind a step reads: those under the index values that the resource looks for. */
export interface Reads<T extends StepResource, S extends Services, R extends KubeObject = KubeObject> {
  readonly kind: Kind<R>;
  /** How they are found: by name, by labels, by computed index values; or any that an object found before refers to. */
  readonly by: 'name' | 'labels' | 'index' | 'any';
  /** Each read is a request; nothing is watched. */
  readonly live: boolean;
  /** Which of them are watched; others do not exist for this read. */
  readonly watched: Pick<WatchScope, 'labels' | 'namespace'>;
  /** The index values that the resource looks for. */
  wanted(object: T, services: S['reading']): readonly string[];
  /** The index in which they are found. */
  readonly index: Index<R>;
  /** Of objects found by labels: all required labels, and the namespace. */
  selection?(object: T): { readonly namespace: string | undefined; readonly labels: Labels };
  predicate(change: Change<R>): boolean;
}

/** Where a read watches: what is elsewhere does not exist for it. */
interface Where {
  /** A label selector, the same for all resources: only what it selects is watched, cached and read. Default: all. */
  selector?: string;
  /**
   * A namespace, the same for all resources: the objects are watched there, and only there, wherever the operator works;
   * names are references. Default: the operator's namespaces.
   */
  watchedNamespace?: string;
}

interface CachedReadsOptions<R extends KubeObject> extends Where {
  /** Whether a change enqueues the resources that read the object. Default: every change. */
  predicate?: (change: Change<R>) => boolean;
}

/** `live`: nothing is watched or stored, every `fetch` is a request. Default: from the cache. */
type ReadsOptions<R extends KubeObject> =
  | (CachedReadsOptions<R> & { live?: false })
  | { live: true; predicate?: never; selector?: never; watchedNamespace?: never };

/** Lets a step read the objects of these names, in the resource's namespace unless a reference names another. */
export function reads<T extends StepResource, S extends Services, R extends KubeObject>(
  kind: Kind<R>,
  names: (object: T, services: S['reading']) => readonly (string | ObjectRef)[],
  { predicate = () => true, live = false, ...where }: ReadsOptions<R> = {},
): Reads<T, S, R> {
  return {
    kind,
    by: 'name',
    live,
    watched: watchedBy(where),
    wanted: (object, services) => names(object, services).map((name) => keyOf(resolveRef(kind, object, name))),
    index: byKey,
    predicate,
  };
}

/** One index for all reads by label, so that a cache builds it once. */
const byLabels = {
  own: labelIndex(({ metadata }) => metadata.namespace),
  any: labelIndex(() => undefined),
};

function labelIndex(namespaceOf: (object: KubeObject) => string | undefined) {
  const valuesOf = (object: KubeObject) => indexValues(namespaceOf(object), object.metadata.labels ?? {});
  return { namespaceOf, index: { valuesOf } };
}

/** Lets a step list the objects with these labels, in the resource's own namespace, in any, or in the watched one. */
export function readsLabelled<T extends StepResource, S extends Services, R extends KubeObject>(
  kind: Kind<R>,
  labels: (object: T) => Labels,
  {
    namespace = 'own',
    predicate = () => true,
    live = false,
    ...where
  }: ReadsOptions<R> &
    ({ namespace?: 'own' | 'any'; watchedNamespace?: never } | { namespace?: never; watchedNamespace: string }) = {},
): Reads<T, S, R> {
  const { watchedNamespace } = where;
  const { index, namespaceOf } = byLabels[watchedNamespace === undefined ? namespace : 'any'];
  return {
    kind,
    by: 'labels',
    live,
    watched: watchedBy(where),
    // One label narrows it down enough; the selection checks them all.
    wanted: (object) => indexValues(namespaceOf(object), labels(object)).slice(0, 1),
    index,
    selection: (object) => ({ namespace: watchedNamespace ?? namespaceOf(object), labels: labels(object) }),
    predicate,
  };
}

/** Lets a step list the objects with one of the wanted index values, in any namespace. */
export function readsIndexed<T extends StepResource, S extends Services, R extends KubeObject>(
  kind: Kind<R>,
  { wanted, valuesOf }: { wanted: (object: T) => readonly string[]; valuesOf: (object: R) => readonly string[] },
  { predicate = () => true, ...where }: CachedReadsOptions<R> = {},
): Reads<T, S, R> {
  return {
    kind,
    by: 'index',
    live: false,
    watched: watchedBy(where),
    wanted,
    index: { valuesOf },
    predicate,
  };
}

/**
 * Lets a step fetch any object of the kind in the resource's namespace: one whose name is only known from another object.
 * Each fetch is a request; nothing is watched.
 */
export function readsAny<T extends StepResource, S extends Services, R extends KubeObject>(
  kind: Kind<R>,
): Reads<T, S, R> {
  return { kind, by: 'any', live: true, watched: {}, wanted: () => [], index: byKey, predicate: () => true };
}

function watchedBy({ selector, watchedNamespace: namespace }: Where): Reads<StepResource, Services>['watched'] {
  return { labels: watchSelector(selector)?.text, namespace };
}

function indexValues(where: string | undefined, labels: Labels): string[] {
  return Object.entries(labels).map(([label, value]) => `${where ?? ''} ${label}=${value}`);
}

/** The reference of an object that a resource names. */
export function resolveRef(kind: Kind, resource: KubeObject, name: string | ObjectRef): ObjectRef {
  const ref = typeof name === 'string' ? { namespace: resource.metadata.namespace, name } : name;
  return kind.scope === 'Namespaced' ? ref : { name: ref.name };
}
