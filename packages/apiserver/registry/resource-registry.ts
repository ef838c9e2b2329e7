// SPDX-License-Identifier: Apache-2.0
import {
  builtinKinds,
  Endpoints,
  EventsEvent,
  LocalSubjectAccessReview,
  SelfSubjectAccessReview,
  SelfSubjectReview,
  SelfSubjectRulesReview,
  SubjectAccessReview,
  TokenReview,
} from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { coreEventOf, storedEventsEvent } from '../resources/event-conversion.ts';
import { defineResource, type Resource } from '../resources/resource.ts';
import { builtinColumns } from '../table/builtin-columns.ts';
import { strategyOf } from './strategies/builtin-strategies.ts';

/** Review kinds, which are never stored. */
const reviewKinds = [
  SelfSubjectReview,
  TokenReview,
  LocalSubjectAccessReview,
  SelfSubjectAccessReview,
  SelfSubjectRulesReview,
  SubjectAccessReview,
];

/** Properties of some resources beyond their kinds. */
const special: ReadonlyMap<Kind, Partial<Resource>> = new Map<Kind, Partial<Resource>>([
  [Endpoints, { deprecation: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice' }],
  // Events are stored in the core group; events.k8s.io serves the same objects.
  [EventsEvent, { storage: 'events', toServed: storedEventsEvent, toStored: coreEventOf }],
]);

/** The served resources: built-in ones and those of CustomResourceDefinitions. */
export class ResourceRegistry {
  readonly #byPath = new Map<string, Resource>();
  #all: readonly Resource[] | undefined;
  readonly #removals = new WeakMap<Resource, AbortController>();

  constructor() {
    for (const kind of [...builtinKinds, ...reviewKinds]) {
      const more = special.get(kind);
      this.set(
        defineResource(kind, { custom: false, strategy: strategyOf(kind), columns: builtinColumns(kind), ...more }),
      );
    }
  }

  find(group: string, version: string, plural: string): Resource | undefined {
    return this.#byPath.get(`${group}/${version}/${plural}`);
  }

  /** The resource of a kind, as in an ownerReference. */
  findKind(apiVersion: string, kind: string): Resource | undefined {
    return this.all().find((each) => each.kind.apiVersion === apiVersion && each.kind.kind === kind);
  }

  /** A resource by its qualified name, in any version. */
  findByName(name: string): Resource | undefined {
    return this.all().find((each) => each.name === name);
  }

  /** Every resource in one version. */
  distinct(): Resource[] {
    const own = this.all().filter(({ name, storage }) => name === storage);
    return [...new Map(own.map((each) => [each.name, each])).values()];
  }

  /** Every resource in every served version; the same list until a definition changes. */
  all(): readonly Resource[] {
    return (this.#all ??= [...this.#byPath.values()]);
  }

  set(served: Resource): void {
    const { group, version, plural } = served.kind;
    this.#byPath.set(`${group}/${version}/${plural}`, served);
    this.#all = undefined;
  }

  remove(served: Resource): void {
    const { group, version, plural } = served.kind;
    this.#byPath.delete(`${group}/${version}/${plural}`);
    this.#all = undefined;
    this.#removals.get(served)?.abort();
  }

  /** Aborts when the resource is removed or redefined. */
  removalSignal(served: Resource): AbortSignal {
    const removal = this.#removals.get(served) ?? new AbortController();
    this.#removals.set(served, removal);
    return removal.signal;
  }
}
