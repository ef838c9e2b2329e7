// SPDX-License-Identifier: Apache-2.0
import { isDeepStrictEqual } from 'node:util';
import { isRefusal } from '@forge/kube/api-error.ts';
import type { Kind } from '@forge/kube/kind.ts';
import { refOf, type KubeObject } from '@forge/kube/object.ts';
import type { Apply } from '../applier.ts';
import type { Reconcile } from '../controller.ts';
import type { CacheSelection } from '../object-store.ts';
import { controllerReference, isControlledBy } from '../owner-reference.ts';
import { Outdated } from '../reconcile-error.ts';
import { isSameKind, type Act } from './owned.ts';
import type { Step, StepContext, StepResource } from './step.ts';

/** What a step wants to write is not to be had; trying the same again is of no use until something changes. */
export class WriteRefused extends Error {
  override readonly name = 'WriteRefused';
}

/** What one run of a step works with. */
export function stepContext<T extends StepResource, S>(input: {
  kind: Kind<T>;
  step: Step<T, S>;
  object: T;
  needs: Readonly<Record<string, unknown>>;
  services: S;
  reconcile: Reconcile;
  apply: Apply;
}): StepContext<T, S, Readonly<Record<string, unknown>>> {
  const { step, object, needs, services, reconcile } = input;
  const { client, cache, clock, random, log, signal } = reconcile;
  const { namespace } = object.metadata;
  const owner = `${object.kind} ${object.metadata.name}`;

  function ownedKind<R extends KubeObject>(act: Act, named: Pick<R, 'apiVersion' | 'kind'>): Kind<R> {
    const { apiVersion, kind: name } = named;
    const [first, ...more] = step.owns.filter(({ kind }) => kind.kind === name && kind.apiVersion === apiVersion);
    if (first === undefined) throw new Error(`step ${step.name} writes a ${name} without naming the kind in owns`);
    if (![first, ...more].some(({ acts }) => acts.includes(act))) throw undeclared(step.name, act, name);
    return first.kind as Kind<R>;
  }

  /** The object as we write it: in the resource's namespace, controlled by the resource. */
  function ours<R extends KubeObject>(desired: R): R {
    const elsewhere = desired.metadata.namespace ?? namespace;
    if (namespace !== undefined && elsewhere !== namespace) {
      const what = `${desired.kind} ${desired.metadata.name} in ${elsewhere}`;
      throw new Error(`${owner} in ${namespace} cannot own ${what}: the garbage collector would take it away`);
    }
    return {
      ...desired,
      metadata: {
        ...(namespace !== undefined && { namespace }),
        ...desired.metadata,
        ownerReferences: [controllerReference(object)],
      },
    };
  }

  function checkControlled<R extends KubeObject>(live: R): R {
    if (isControlledBy(live, object)) return live;
    const { kind, metadata } = live;
    const reason = `it exists but is not controlled by ${owner}: delete or rename it`;
    throw new WriteRefused(`${kind} ${metadata.name} was refused: ${reason}`);
  }

  function mayRead(kind: Kind, name?: string): boolean {
    if (step.owns.some((owned) => isSameKind(owned.kind, kind))) return true;
    return (
      name !== undefined &&
      step.reads.some((read) => isSameKind(read.kind, kind) && read.names(object, services).includes(name))
    );
  }

  /**
   * Sees to it that the resource is as we know it, alive or on its way out, before what has gone is made anew: it may
   * be the garbage collector that took it away, and would again, as often as a watch that hangs keeps the resource's
   * end from us.
   */
  async function mayMake(kind: Kind, wanted: KubeObject): Promise<void> {
    const ref = refOf(wanted);
    if (cache.get(kind, ref) !== undefined || !cache.hasGone(kind, ref)) return;
    const { uid, deletionTimestamp } = (await client.find(input.kind, refOf(object), { signal }))?.metadata ?? {};
    if (uid === object.metadata.uid && deletionTimestamp === object.metadata.deletionTimestamp) return;
    throw new Outdated(`${owner} is gone or going: ${wanted.kind} ${ref.name} is not made anew`);
  }

  function list<R extends KubeObject>(kind: Kind<R>, { labels = {} }: Pick<CacheSelection, 'labels'> = {}): R[] {
    if (!mayRead(kind)) throw new Error(`step ${step.name} lists ${kind.kind} without naming the kind in owns`);
    const { uid } = object.metadata;
    return uid === undefined ? [] : cache.list(kind, { labels, owner: uid });
  }

  async function removeLive(kind: Kind, live: KubeObject): Promise<void> {
    const { uid, deletionTimestamp } = live.metadata;
    if (deletionTimestamp !== undefined) return;
    const preconditions = uid === undefined ? {} : { preconditions: { uid } };
    try {
      // Some kinds' own default leaves the dependents behind.
      const deleted = client.delete(kind, refOf(live), { propagation: 'Background', ...preconditions, signal });
      await accepted(live, deleted);
    } catch (error) {
      if (!isRefusal(error, 'NotFound')) throw error;
    }
  }

  /** Deletes our objects of that kind whose names are not wanted, in whatever namespace they are. */
  async function remove(kind: Kind, isUnwanted: (name: string) => boolean, labels = {}): Promise<void> {
    const owned = ownedKind<KubeObject>('remove', kind);
    const unwanted = list(owned, { labels }).filter(({ metadata }) => isUnwanted(metadata.name));
    await Promise.all(unwanted.map((live) => removeLive(owned, live)));
  }

  return {
    object,
    needs,
    services,
    clock,
    random,
    log,
    signal,
    event: (note) => reconcile.event(object, note),

    async apply(desired, options) {
      const kind = ownedKind<typeof desired>('apply', desired);
      const wanted = ours(desired);
      await mayMake(kind, wanted);
      return await accepted(wanted, input.apply(kind, wanted, reconcile, options));
    },

    async create(desired) {
      const kind = ownedKind<typeof desired>('create', desired);
      const wanted = ours(desired);
      const live = cache.get(kind, refOf(wanted));
      if (live !== undefined) return checkControlled(live);
      await mayMake(kind, wanted);
      try {
        return await accepted(wanted, client.create(kind, wanted, { signal }));
      } catch (error) {
        if (!isRefusal(error, 'AlreadyExists')) throw error;
        return checkControlled(await client.get(kind, refOf(wanted), { signal }));
      }
    },

    async replace(desired) {
      const kind = ownedKind<typeof desired>('replace', desired);
      const wanted = ours(desired);
      const live = cache.get(kind, refOf(wanted));
      if (live === undefined) throw new Error(`${desired.kind} ${desired.metadata.name} is not there to be replaced`);
      const { resourceVersion } = checkControlled(live).metadata;
      if (isAlready(live, wanted)) return live;
      const metadata = { ...wanted.metadata, ...(resourceVersion !== undefined && { resourceVersion }) };
      return await accepted(wanted, client.update(kind, { ...wanted, metadata }, { signal }));
    },

    remove: (kind, name) => remove(kind, (each) => each === name),
    sweep: (kind, { keep, labels }) => remove(kind, (each) => !keep.includes(each), labels),

    get(kind, name) {
      if (!mayRead(kind, name)) {
        throw new Error(`step ${step.name} reads ${kind.kind} ${name} without naming it in owns or reads`);
      }
      return cache.get(kind, { namespace: kind.scope === 'Namespaced' ? namespace : undefined, name });
    },

    list,
  };
}

/** What the server answered, or its refusal in our words. */
async function accepted<R>({ kind, metadata }: KubeObject, request: Promise<R>): Promise<R> {
  try {
    return await request;
  } catch (error) {
    if (!isRefusal(error, 'Invalid', 'Forbidden', 'RequestEntityTooLarge')) throw error;
    const reason = error.status.message ?? error.message;
    throw new WriteRefused(`${kind} ${metadata.name} was refused: ${reason}`, { cause: error });
  }
}

/** Whether a replacement would change nothing; fields that only the server fills in are no change. */
function isAlready(live: KubeObject, wanted: KubeObject): boolean {
  const replaced = { ...live, ...wanted, metadata: live.metadata };
  return isDeepStrictEqual(replaced, live) && isDeepStrictEqual(ownMetadata(wanted), ownMetadata(live));
}

function ownMetadata({ metadata }: KubeObject): unknown[] {
  const { labels, annotations, ownerReferences, finalizers } = metadata;
  return [labels, annotations, ownerReferences, finalizers];
}

function undeclared(step: string, act: Act, kind: string): Error {
  return new Error(`step ${step} may not ${act} a ${kind}: say so in owns, with owned(${kind}, …)`);
}
