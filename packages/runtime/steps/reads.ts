// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { refOf, type KubeObject, type ObjectRef } from '@forge/kube/objects/object.ts';
import type { Index } from '../cache/object-index.ts';
import type { Change } from '../objects/change.ts';
import { keyOf } from '../objects/object-key.ts';
import type { Services, StepResource } from './step.ts';

/** Labels that an object must carry. */
export type Labels = Readonly<Record<string, string>>;

/** Which objects of a kind a step reads: resource and object meet at the values of an index. */
export interface Reads<T extends StepResource, S extends Services, R extends KubeObject = KubeObject> {
  readonly kind: Kind<R>;
  /** How they are found: by their names, by their labels, or by what they say. */
  readonly by: 'name' | 'labels' | 'index';
  /** Each read asks the server; nothing is watched. */
  readonly live: boolean;
  /** Where the resource looks. */
  wanted(object: T, services: S['reading']): readonly string[];
  /** Where an object is found. */
  readonly index: Index<R>;
  /** Of objects found by labels, all that they must carry, and where. */
  selection?(object: T): { readonly namespace: string | undefined; readonly labels: Labels };
  predicate(change: Change<R>): boolean;
}

interface ReadsOptions<R extends KubeObject> {
  /** Whether a change is worth a look at who reads the object. Default: every change. */
  predicate?: (change: Change<R>) => boolean;
  /** Past the cache: nothing is watched or stored, every `fetch` is a request. Default: from the cache. */
  live?: boolean;
}

/** Lets a step read the objects of these names, in its own namespace unless a reference says another, or in none. */
export function reads<T extends StepResource, S extends Services, R extends KubeObject>(
  kind: Kind<R>,
  names: (object: T, services: S['reading']) => readonly (string | ObjectRef)[],
  { predicate = () => true, live = false }: ReadsOptions<R> = {},
): Reads<T, S, R> {
  return {
    kind,
    by: 'name',
    live,
    wanted: (object, services) => names(object, services).map((name) => keyOf(resolveRef(kind, object, name))),
    index: { valuesOf: (object) => [keyOf(refOf(object))] },
    predicate,
  };
}

/** Lets a step list the objects with these labels, in the resource's own namespace or in any. */
export function readsLabelled<T extends StepResource, S extends Services, R extends KubeObject>(
  kind: Kind<R>,
  labels: (object: T) => Labels,
  { namespace = 'own', predicate = () => true, live = false }: ReadsOptions<R> & { namespace?: 'own' | 'any' } = {},
): Reads<T, S, R> {
  const namespaceOf = ({ metadata }: KubeObject) => (namespace === 'own' ? metadata.namespace : undefined);
  return {
    kind,
    by: 'labels',
    live,
    // One label leads to few enough objects; the selection has them all.
    wanted: (object) => indexValues(namespaceOf(object), labels(object)).slice(0, 1),
    index: { valuesOf: (object) => indexValues(namespaceOf(object), object.metadata.labels ?? {}) },
    selection: (object) => ({ namespace: namespaceOf(object), labels: labels(object) }),
    predicate,
  };
}

/** Lets a step list the objects that say one of the values it looks for, in any namespace. */
export function readsIndexed<T extends StepResource, S extends Services, R extends KubeObject>(
  kind: Kind<R>,
  { wanted, valuesOf }: { wanted: (object: T) => readonly string[]; valuesOf: (object: R) => readonly string[] },
  { predicate = () => true }: Pick<ReadsOptions<R>, 'predicate'> = {},
): Reads<T, S, R> {
  return { kind, by: 'index', live: false, wanted, index: { valuesOf }, predicate };
}

function indexValues(where: string | undefined, labels: Labels): string[] {
  return Object.entries(labels).map(([label, value]) => `${where ?? ''} ${label}=${value}`);
}

/** Where an object is that a resource names. */
export function resolveRef(kind: Kind, resource: KubeObject, name: string | ObjectRef): ObjectRef {
  const ref = typeof name === 'string' ? { namespace: resource.metadata.namespace, name } : name;
  return kind.scope === 'Namespaced' ? ref : { name: ref.name };
}
