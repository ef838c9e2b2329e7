// SPDX-License-Identifier: Apache-2.0
import { isApiError } from '@forge/kube/errors/api-error.ts';
import { PersistentVolumeClaim, type Pod, type StatefulSet } from '@forge/kube/kinds/builtin.ts';
import { refOf } from '@forge/kube/objects/object.ts';
import type { ReconcileContext } from '@forge/runtime/controller/controller.ts';
import { serverMessage } from '../../objects/server-message.ts';
import { hasUnexpectedController, outdatedOwners } from './claim-owners.ts';
import { isWanted, ordinalOf } from './identity.ts';
import { claimsOf } from './pod-claims.ts';
import { recordOutcome } from './record-outcome.ts';

/** Creates the missing claims of a pod; throws when one cannot be created, or is being deleted. */
export async function ensureClaims(set: StatefulSet, pod: Pod, context: ReconcileContext): Promise<void> {
  const problems: string[] = [];
  for (const { claim: wanted } of claimsOf(set, ordinalOf(set, pod) ?? 0)) {
    const { name } = wanted.metadata;
    const claim = context.cache.get(PersistentVolumeClaim, refOf(wanted));
    if (claim?.metadata.deletionTimestamp !== undefined) problems.push(`pvc ${name} is being deleted`);
    if (claim !== undefined) continue;
    try {
      await createClaim(set, pod, wanted, context);
    } catch (error) {
      if (!isApiError(error)) throw error;
      problems.push(`failed to create PVC ${name}: ${serverMessage(error)}`);
    }
  }
  if (problems.length > 0) throw new Error(problems.length === 1 ? problems[0] : `[${problems.join(', ')}]`);
}

async function createClaim(
  set: StatefulSet,
  { metadata: pod }: Pod,
  wanted: PersistentVolumeClaim,
  context: ReconcileContext,
): Promise<void> {
  const place = `Pod ${pod.name} in StatefulSet ${set.metadata.name}`;
  const subject = `Create Claim ${wanted.metadata.name}`;
  const texts = { verb: 'Create', success: `${subject} ${place} success`, failure: `${subject} for ${place}` } as const;
  await recordOutcome(
    set,
    texts,
    async () => {
      await context.client.create(PersistentVolumeClaim, wanted);
      return true;
    },
    context,
  );
}

/** Gives the claims of a pod the owners that the retention policy of the set wants. */
export async function updateClaimOwners(set: StatefulSet, pod: Pod, context: ReconcileContext): Promise<void> {
  const { cache, client, event } = context;
  const ordinal = ordinalOf(set, pod) ?? 0;
  const use = { set, pod, isCondemned: !isWanted(set, ordinal) };
  for (const { claim: wanted } of claimsOf(set, ordinal)) {
    const claim = cache.get(PersistentVolumeClaim, refOf(wanted));
    if (claim === undefined) continue;
    const { name, resourceVersion } = claim.metadata;
    if (hasUnexpectedController(claim, use)) {
      const message = `PersistentVolumeClaim ${name} has a conflicting OwnerReference that acts as a manging controller, the retention policy is ignored for this claim`;
      await event(set, { type: 'Warning', reason: 'ConflictingController', message });
    }
    const ownerReferences = outdatedOwners(claim, use);
    if (ownerReferences === undefined) continue;
    await client.patch(PersistentVolumeClaim, refOf(claim), 'merge', {
      metadata: { resourceVersion, ownerReferences },
    });
  }
}
