// SPDX-License-Identifier: Apache-2.0
import { isApiError } from '@forge/kube/errors/api-error.ts';
import { PersistentVolumeClaim, Pod, type ControllerRevision, type StatefulSet } from '@forge/kube/kinds/builtin.ts';
import { refOf } from '@forge/kube/objects/object.ts';
import type { ReconcileContext } from '@forge/runtime/controller/controller.ts';
import { removeObject } from '../../objects/remove-object.ts';
import { claimsOf, ordinalOf, podOf, wantedOrdinals } from './identity.ts';
import type { Action } from './next-actions.ts';
import { templateOf, type Revisions } from './revisions.ts';

/** Performs an action on the pods of the set, and records Events about it. */
export async function perform(
  set: StatefulSet,
  action: Action,
  revisions: Revisions,
  context: ReconcileContext,
): Promise<void> {
  if (action.type === 'create') await createPod(set, action.ordinal, revisions[action.revision], context);
  else await deletePod(set, action, context);
}

async function createPod(
  set: StatefulSet,
  ordinal: number,
  revision: ControllerRevision,
  context: ReconcileContext,
): Promise<void> {
  const pod = podOf(set, ordinal, revision.metadata.name, templateOf(revision));
  const place = `in StatefulSet ${set.metadata.name}`;
  for (const { claim: wanted } of claimsOf(set, ordinal)) {
    const subject = `Claim ${wanted.metadata.name} Pod ${pod.metadata.name} ${place}`;
    await attempt(set, 'create', subject, 'success', () => createClaim(wanted, context), context);
  }
  const subject = `Pod ${pod.metadata.name} ${place}`;
  await attempt(set, 'create', subject, 'successful', () => created(() => context.client.create(Pod, pod)), context);
}

/** Creates the claim unless it exists; returns whether it did. */
async function createClaim(wanted: PersistentVolumeClaim, { cache, client }: ReconcileContext): Promise<boolean> {
  if (cache.get(PersistentVolumeClaim, refOf(wanted)) !== undefined) return false;
  return await created(() => client.create(PersistentVolumeClaim, wanted));
}

async function created(create: () => Promise<unknown>): Promise<boolean> {
  try {
    await create();
    return true;
  } catch (error) {
    if (isApiError(error, 'AlreadyExists')) return false;
    throw error;
  }
}

async function deletePod(
  set: StatefulSet,
  { type, pod }: Exclude<Action, { type: 'create' }>,
  context: ReconcileContext,
): Promise<void> {
  const { name, namespace } = pod.metadata;
  if (type === 'recreate') {
    const phase = pod.status?.phase === 'Succeeded' ? 'terminated' : 'failed';
    const reason = phase === 'failed' ? 'RecreatingFailedPod' : 'RecreatingTerminatedPod';
    const message = `StatefulSet ${namespace}/${set.metadata.name} is recreating ${phase} Pod ${name}`;
    await context.event(set, { type: phase === 'failed' ? 'Warning' : 'Normal', reason, message });
  }
  if (type === 'delete') await adoptClaims(set, pod, context);
  const subject = `Pod ${name} in StatefulSet ${set.metadata.name}`;
  await attempt(set, 'delete', subject, 'successful', () => removeObject(context.client, Pod, pod), context);
}

/** Makes a pod that is scaled down the owner of its claims, if the set's policy is to delete them. */
async function adoptClaims(set: StatefulSet, pod: Pod, { cache, client }: ReconcileContext): Promise<void> {
  const ordinal = ordinalOf(set, pod) ?? 0;
  const isScaledAway = !wantedOrdinals(set).includes(ordinal);
  if (set.spec?.persistentVolumeClaimRetentionPolicy?.whenScaled !== 'Delete' || !isScaledAway) return;
  const { name, uid = '' } = pod.metadata;
  const ownerReferences = [{ apiVersion: 'v1', kind: 'Pod', name, uid }];
  for (const { claim } of claimsOf(set, ordinal)) {
    if (cache.get(PersistentVolumeClaim, refOf(claim)) === undefined) continue;
    await client.patch(PersistentVolumeClaim, refOf(claim), 'merge', { metadata: { ownerReferences } });
  }
}

/** Performs an operation that may already be done, and records an Event about its success or failure. */
async function attempt(
  set: StatefulSet,
  verb: 'create' | 'delete',
  subject: string,
  success: string,
  act: () => Promise<boolean>,
  { event }: ReconcileContext,
): Promise<void> {
  const name = verb === 'create' ? 'Create' : 'Delete';
  try {
    if (!(await act())) return;
  } catch (error) {
    const message = `${verb} ${subject} failed error: ${error instanceof Error ? error.message : String(error)}`;
    await event(set, { type: 'Warning', reason: `Failed${name}`, message });
    throw error;
  }
  await event(set, { type: 'Normal', reason: `Successful${name}`, message: `${verb} ${subject} ${success}` });
}
