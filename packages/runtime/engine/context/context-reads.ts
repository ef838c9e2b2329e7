// SPDX-License-Identifier: Apache-2.0
import { pages } from '@forge/kube/client/pages.ts';
import { isApiError } from '@forge/kube/errors/api-error.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject, ObjectRef } from '@forge/kube/objects/object.ts';
import type { Cache } from '../../cache/cache.ts';
import { scopedCache } from '../../cache/scoped-cache.ts';
import type { ReconcileContext } from '../../controller/controller.ts';
import { keyOf } from '../../objects/object-key.ts';
import { isSameKind, type Owned } from '../../steps/owned.ts';
import { resolveRef, type Labels, type Reads } from '../../steps/reads.ts';
import { StepBug } from '../../steps/step-bug.ts';
import type { ContextReads } from '../../steps/step-context.ts';
import type { Services, Step, StepResource } from '../../steps/step.ts';
import type { PassContext } from './build-step-context.ts';

/** The reads that a step declares; others throw a StepBug. */
export function contextReads<T extends StepResource, S extends Services>(
  { object, services }: PassContext<T, S>,
  step: Step<T, S>,
  { cache, client, signal }: ReconcileContext,
): ContextReads<T, S> {
  const wantedBy = (read: Reads<T, S>) => read.wanted(object, services.reading);
  const ownedOf = (kind: Kind) => step.owns.find((owned) => isSameKind(owned.kind, kind));
  const owns = (kind: Kind) => ownedOf(kind) !== undefined;
  const ownedScope = ({ selector }: Owned): Cache => scopedCache(cache, { labels: selector?.text });

  /** The reference of an object that the step declares to read or owns, and the cache as that declaration shows it. */
  function readPlace(kind: Kind, name: string | ObjectRef): { place: ObjectRef; scoped: Cache } {
    const place = resolveRef(kind, object, name);
    const named = step.reads.find(
      (read) => read.by === 'name' && isSameKind(read.kind, kind) && wantedBy(read).includes(keyOf(place)),
    );
    if (named !== undefined) return { place, scoped: scopedCache(cache, named.watched) };
    const owned = ownedOf(kind);
    if (owned !== undefined) return { place, scoped: ownedScope(owned) };
    throw new StepBug(`step ${step.name} reads ${kind.kind} ${place.name}, which is not in its owns or reads`);
  }

  /** The reference of an object that the step may fetch. */
  function fetchPlace(kind: Kind, name: string | ObjectRef): ObjectRef {
    const place = resolveRef(kind, object, name);
    const isNear = place.namespace === object.metadata.namespace;
    const isAllowed = step.reads.some((read) => read.by === 'any' && isSameKind(read.kind, kind));
    return isNear && isAllowed ? place : readPlace(kind, name).place;
  }

  /** Access to read a kind live is granted only where that is declared. */
  function checkLive(kind: Kind): void {
    const isLive = step.reads.some((read) => read.live && read.by !== 'labels' && isSameKind(read.kind, kind));
    const isCreated = step.owns.some((owned) => isSameKind(owned.kind, kind) && owned.verbs.includes('create'));
    if (isLive || isCreated || kind.confidential === true) return;
    throw new StepBug(`step ${step.name} fetches a ${kind.kind}: declare it in reads, with { live: true }`);
  }

  function checkDeclared(read: Reads<T, S>): void {
    if (step.reads.includes(read)) return;
    throw new StepBug(`step ${step.name} lists ${read.kind.kind} by a read that is not in its reads`);
  }

  return {
    get(kind, name) {
      const { place, scoped } = readPlace(kind, name);
      return scoped.get(kind, place);
    },

    list(kind, { labels = {} } = {}) {
      const owned = ownedOf(kind);
      if (owned === undefined) throw new StepBug(`step ${step.name} lists ${kind.kind}, which is not in its owns`);
      const { uid } = object.metadata;
      return uid === undefined ? [] : ownedScope(owned).list(kind, { labels, owner: uid });
    },

    select(read) {
      checkDeclared(read);
      const selection = read.selection?.(object) ?? {};
      const found = wantedBy(read).flatMap((value) =>
        scopedCache(cache, read.watched).list(read.kind, { ...selection, where: { index: read.index, value } }),
      );
      return [...new Set(found)];
    },

    async fetch(kind, name) {
      checkLive(kind);
      return await client.find(kind, fetchPlace(kind, name), { signal });
    },

    async fetchAll<R extends KubeObject>(read: Reads<T, S, R>, { labels: further = {} }: { labels?: Labels } = {}) {
      checkDeclared(read);
      if (read.selection === undefined) throw new StepBug(`step ${step.name} fetches ${read.kind.kind} without labels`);
      const { namespace, labels: declared } = read.selection(object);
      // What is declared stays in force.
      const labels = { ...further, ...declared };
      const labelSelector = [labelSelectorOf(labels), read.watched.labels ?? '']
        .filter((each) => each !== '')
        .join(',');
      const found: R[] = [];
      try {
        for await (const { items } of pages(client, read.kind, { namespace, labelSelector, limit: 500, signal })) {
          found.push(...items);
        }
      } catch (error) {
        // The kind is not installed: nothing to list.
        if (!isApiError(error, 'NotFound')) throw error;
      }
      return found;
    },

    isInstalled(kind) {
      // A live read is not watched: nothing would trigger a pass.
      if (!owns(kind) && !step.reads.some((read) => !read.live && isSameKind(read.kind, kind))) {
        throw new StepBug(
          `step ${step.name} asks whether ${kind.kind} is installed, which is not in its owns or cached reads`,
        );
      }
      return cache.isInstalled(kind);
    },
  };
}

/** The labels as a selector. */
export function labelSelectorOf(labels: Labels): string {
  return Object.entries(labels)
    .map(([label, value]) => `${label}=${value}`)
    .join(',');
}
