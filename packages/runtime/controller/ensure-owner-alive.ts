// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { refOf, type KubeObject } from '@forge/kube/objects/object.ts';
import { controllerOf } from '../objects/owner-reference.ts';
import { StaleCacheError } from '../queue/reconcile-error.ts';
import type { ReconcileContext } from './controller.ts';

/** A resource whose objects are written. */
interface Owner {
  readonly kind: Kind;
  readonly object: KubeObject;
}

type Context = Pick<ReconcileContext, 'cache' | 'client' | 'signal'>;

/**
 * Before a deleted object is created again, or one without an owner is adopted: checks live that its owner still exists and is
 * not terminating. The garbage collector may have deleted the object with its owner, or removed the owner reference because the
 * owner orphans its dependents; a watch that lags behind does not show this yet.
 */
export async function ensureOwnerAlive(
  owner: Owner,
  { kind, wanted }: { kind: Kind; wanted: KubeObject },
  context: Context,
): Promise<void> {
  const { cache } = context;
  const ref = refOf(wanted);
  const live = cache.get(kind, ref);
  if (live !== undefined) await ensureAdopterAlive(owner, { live, wanted }, context);
  else if (cache.wasDeleted(kind, ref)) await checkAlive(owner, wanted, context);
}

/** The same for an object that is there, when what is wanted of it has another controller. */
export async function ensureAdopterAlive(
  owner: Owner,
  { live, wanted }: { live: KubeObject; wanted: KubeObject },
  context: Omit<Context, 'cache'>,
): Promise<void> {
  if (controllerOf(live)?.uid !== controllerOf(wanted)?.uid) await checkAlive(owner, wanted, context);
}

async function checkAlive(
  { kind, object }: Owner,
  wanted: KubeObject,
  { client, signal }: Omit<Context, 'cache'>,
): Promise<void> {
  const { uid, deletionTimestamp } = (await client.find(kind, refOf(object), { signal }))?.metadata ?? {};
  if (uid === object.metadata.uid && deletionTimestamp === object.metadata.deletionTimestamp) return;
  throw new StaleCacheError(
    `${object.kind} ${object.metadata.name} is deleted or terminating: ` +
      `${wanted.kind} ${wanted.metadata.name} is not created or adopted`,
  );
}
