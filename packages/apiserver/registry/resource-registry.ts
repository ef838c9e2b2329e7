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
import { strategyOf } from './builtin-strategies.ts';

/** Kinds that are asked, and of which no objects are kept. */
const reviewKinds = [
  SelfSubjectReview,
  TokenReview,
  LocalSubjectAccessReview,
  SelfSubjectAccessReview,
  SelfSubjectRulesReview,
  SubjectAccessReview,
];

/** What is said of some resources beyond their kinds. */
const special: ReadonlyMap<Kind, Partial<Resource>> = new Map<Kind, Partial<Resource>>([
  [Endpoints, { deprecation: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice' }],
  // Events are stored as the core group has them, and events.k8s.io shows the same ones.
  [EventsEvent, { storage: 'events', toServed: storedEventsEvent, toStored: coreEventOf }],
]);

/** The resources this server serves: the built-in ones, and those of the CustomResourceDefinitions it holds. */
export class ResourceRegistry {
  readonly #byPath = new Map<string, Resource>();
  readonly #withdrawals = new WeakMap<Resource, AbortController>();

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

  /** The resource of a kind, as an ownerReference names it. */
  findKind(apiVersion: string, kind: string): Resource | undefined {
    return this.all().find((each) => each.kind.apiVersion === apiVersion && each.kind.kind === kind);
  }

  /** A resource by the name that the keys of its objects begin with, in any of its versions. */
  findByName(name: string): Resource | undefined {
    return this.all().find((each) => each.name === name);
  }

  /** Every resource in one of its versions. */
  distinct(): Resource[] {
    const own = this.all().filter(({ name, storage }) => name === storage);
    return [...new Map(own.map((each) => [each.name, each])).values()];
  }

  /** Every resource in every version that is served. */
  all(): Resource[] {
    return [...this.#byPath.values()];
  }

  set(served: Resource): void {
    const { group, version, plural } = served.kind;
    this.#byPath.set(`${group}/${version}/${plural}`, served);
  }

  remove(served: Resource): void {
    const { group, version, plural } = served.kind;
    this.#byPath.delete(`${group}/${version}/${plural}`);
    this.#withdrawals.get(served)?.abort();
  }

  /** Aborts when the resource is no longer served, or no longer so. */
  removalSignal(served: Resource): AbortSignal {
    const withdrawal = this.#withdrawals.get(served) ?? new AbortController();
    this.#withdrawals.set(served, withdrawal);
    return withdrawal.signal;
  }
}
