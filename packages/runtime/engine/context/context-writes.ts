// SPDX-License-Identifier: Apache-2.0
import { isDeepStrictEqual } from 'node:util';
import { isApiError } from '@forge/kube/errors/api-error.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { isTerminating, refOf, type KubeObject } from '@forge/kube/objects/object.ts';
import { byUid } from '../../cache/object-index.ts';
import type { ReconcileContext } from '../../controller/controller.ts';
import { ensureOwnerAlive } from '../../controller/ensure-owner-alive.ts';
import { ownerAnnotation } from '../../objects/owner-reference.ts';
import type { OwnedVerb } from '../../steps/owned.ts';
import { resolveRef, type Labels } from '../../steps/reads.ts';
import { StepBug } from '../../steps/step-bug.ts';
import type { ContextWrites, Ownership } from '../../steps/step-context.ts';
import type { Services, Step, StepResource } from '../../steps/step.ts';
import { recordApplied } from './applied-bodies.ts';
import type { PassContext } from './build-step-context.ts';
import { deleteLive } from './delete-live.ts';
import { narrowedWrites } from './narrowed-writes.ts';
import { checkAdoptable, checkOwned, isOwnedBy, ownedBy } from './ownership.ts';
import { checkAccepted } from './write-rejected.ts';

/** The writes that a step declares in `owns`; others throw a StepBug. */
export function contextWrites<T extends StepResource, S extends Services>(
  pass: PassContext<T, S>,
  step: Step<T, S>,
  reconcile: ReconcileContext,
): ContextWrites {
  const { object } = pass;
  const { client, cache, signal } = reconcile;
  const narrowed = narrowedWrites(step, reconcile);

  function ownedKind<R extends KubeObject>(
    act: OwnedVerb,
    { apiVersion, kind: name }: Pick<R, 'apiVersion' | 'kind'>,
    part?: string,
  ): Kind<R> {
    const named = step.owns.filter(({ kind }) => kind.kind === name && kind.apiVersion === apiVersion);
    const allowed = named.find((each) => each.verbs.includes(act) && (act !== 'apply' || each.part === part));
    if (allowed !== undefined) return allowed.kind as Kind<R>;
    const what = part === undefined ? `a ${name}` : `the part ${part} of a ${name}`;
    throw new StepBug(`step ${step.name} may not ${act} ${what}: declare it in owns, with owned(${name}, …)`);
  }

  const owner = { kind: pass.kind, object };

  function checkOurs(live: KubeObject, adopt: boolean): void {
    const mark = live.metadata.annotations?.[ownerAnnotation];
    if (!adopt) checkOwned(live, object);
    else
      checkAdoptable(
        live,
        object,
        mark === undefined ? [] : cache.list(pass.kind, { where: { index: byUid, value: mark } }),
      );
  }

  /** Adopts the existing object, provided that it is unchanged. */
  async function adopted<R extends KubeObject>(kind: Kind<R>, live: R, ownership: Ownership): Promise<R> {
    const { ownerReferences = [], resourceVersion, uid } = live.metadata;
    const { metadata } = ownedBy({ ...live, metadata: { name: live.metadata.name } }, object, ownership);
    const change =
      metadata.ownerReferences === undefined
        ? { annotations: metadata.annotations }
        : { ownerReferences: [...ownerReferences, ...metadata.ownerReferences] };
    const patch = { metadata: { ...change, resourceVersion, uid } };
    return await checkAccepted(kind, live, client.patch(kind, refOf(live), 'merge', patch, { signal }));
  }

  /** Deletes our objects of the kind with unwanted names, in any namespace. */
  async function removeAll(
    kind: Kind,
    isUnwanted: (name: string) => boolean,
    { labels = {}, ...options }: { labels?: Labels; propagation?: 'Background' | 'Foreground' } = {},
  ): Promise<void> {
    const owned = ownedKind<KubeObject>('remove', kind);
    const { uid } = object.metadata;
    if (uid === undefined) return;
    const ours = narrowed.scoped(owned).cache.list(owned, { labels, owner: uid });
    const unwanted = ours.filter(({ metadata }) => isUnwanted(metadata.name));
    await Promise.all(unwanted.map((live) => deleteLive(owned, live, reconcile, options)));
  }

  return {
    async apply(desired, { part, retainOnDelete = false, adopt = false, ...options } = {}) {
      const kind = ownedKind<typeof desired>('apply', desired, part);
      if (adopt) ownedKind('adopt', desired);
      if (options.transferredFields !== undefined) ownedKind('transferFields', desired);
      const wanted = ownedBy(desired, object, { retainOnDelete });
      narrowed.checkWatched(wanted, kind);
      recordApplied(pass.applied, { step: step.name, part, body: wanted });
      const context = await narrowed.withUnwatched(kind, refOf(wanted));
      const live = context.cache.get(kind, refOf(wanted));
      if (live !== undefined) checkOurs(live, adopt);
      await ensureOwnerAlive(owner, { kind, wanted }, context);
      return await checkAccepted(
        kind,
        wanted,
        pass.apply(part)(kind, wanted, context, { ...options, takesOver: adopt }),
      );
    },

    async create(desired, { adopt = false, retainOnDelete = false } = {}) {
      const kind = ownedKind<typeof desired>('create', desired);
      if (adopt) ownedKind('adopt', desired);
      const wanted = ownedBy(desired, object, { retainOnDelete });
      narrowed.checkWatched(wanted, kind);
      const keep = async (live: typeof desired) => {
        checkOurs(live, adopt);
        const ours = isOwnedBy(live, object) ? live : await adopted(kind, live, { retainOnDelete });
        return await narrowed.labelled(kind, ours, wanted);
      };
      const context = narrowed.scoped(kind);
      const live = context.cache.get(kind, refOf(wanted));
      await ensureOwnerAlive(owner, { kind, wanted }, context);
      if (live !== undefined) return await keep(live);
      const created = () => checkAccepted(kind, wanted, client.create(kind, wanted, { signal }));
      try {
        return await created();
      } catch (error) {
        if (!isApiError(error, 'AlreadyExists')) throw error;
        const other = await client.find(kind, refOf(wanted), { signal });
        // One that was being deleted may be gone by now.
        return other === undefined ? await created() : await keep(other);
      }
    },

    async replace(desired, { retainOnDelete = false } = {}) {
      const kind = ownedKind<typeof desired>('replace', desired);
      const wanted = ownedBy(desired, object, { retainOnDelete });
      narrowed.checkWatched(wanted, kind);
      const live = (await narrowed.withUnwatched(kind, refOf(wanted))).cache.get(kind, refOf(wanted));
      if (live === undefined)
        throw new Error(`${desired.kind} ${desired.metadata.name} does not exist and cannot be replaced`);
      const { resourceVersion } = checkOwned(live, object).metadata;
      if (isAlready(live, wanted)) return live;
      const metadata = { ...(resourceVersion !== undefined && { resourceVersion }), ...wanted.metadata };
      return await checkAccepted(kind, wanted, client.update(kind, { ...wanted, metadata }, { signal }));
    },

    async remove(kind, target, options = {}) {
      const owned = ownedKind<KubeObject>('remove', kind);
      if (typeof target === 'string') {
        await removeAll(kind, (name) => name === target, options);
        // In a deletion nobody restores labels: what has lost them would stay for ever.
        const lost = isTerminating(object)
          ? await narrowed.unwatched(owned, resolveRef(owned, object, target))
          : undefined;
        if (lost !== undefined && isOwnedBy(lost, object)) await deleteLive(owned, lost, reconcile, options);
        return;
      }
      await deleteLive(owned, checkOwned(target, object), reconcile, { ...options, exact: true });
    },

    sweep: (kind, { keep, labels = {} }) => removeAll(kind, (name) => !keep.includes(name), { labels }),
  };
}

/** Whether a replacement would change nothing, apart from fields that only the server sets. */
function isAlready(live: KubeObject, wanted: KubeObject): boolean {
  const replaced = { ...live, ...wanted, metadata: live.metadata };
  return isDeepStrictEqual(replaced, live) && isDeepStrictEqual(ownMetadata(wanted), ownMetadata(live));
}

function ownMetadata({ metadata }: KubeObject): unknown[] {
  const { labels, annotations, ownerReferences, finalizers } = metadata;
  return [labels, annotations, ownerReferences, finalizers];
}
