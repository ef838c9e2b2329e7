// SPDX-License-Identifier: Apache-2.0
import type { PersistentVolumeClaim, Pod, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import type { KubeObject, OwnerReference } from '@forge/kube/objects/object.ts';
import { controllerReference } from '@forge/runtime/objects/owner-reference.ts';

/** A claim of a set, and the pod that uses it. */
interface ClaimUse {
  readonly set: StatefulSet;
  readonly pod: Pod;
  /** Whether the pod is above the replicas, or below the first ordinal. */
  readonly isCondemned: boolean;
}

/**
 * The owners that a claim must have by the retention policy of its set; undefined when it has them, or when it must not
 * be touched, because an earlier set or pod of the same name owns it: the garbage collector decides about it.
 */
export function outdatedOwners(claim: PersistentVolumeClaim, use: ClaimUse): OwnerReference[] | undefined {
  const { set, pod } = use;
  if (isOfEarlier(claim, set) || isOfEarlier(claim, pod)) return undefined;
  const isOurs = (reference: OwnerReference): boolean => refersTo(reference, set) || refersTo(reference, pod);
  const references = claim.metadata.ownerReferences ?? [];
  const ours = references.filter(isOurs);
  const others = references.filter((reference) => !isOurs(reference));
  const owner = hasUnexpectedController(claim, use) ? undefined : ownerOf(use);
  const hasThem =
    ours.length === (owner === undefined ? 0 : 1) &&
    ours.every(({ uid, controller }) => uid === owner?.metadata.uid && controller === true);
  if (hasThem) return undefined;
  return owner === undefined ? others : [...others, controllerReference(owner)];
}

/** Whether somebody else controls a claim that the policy of the set wants to delete: the policy does not apply to it. */
export function hasUnexpectedController(claim: PersistentVolumeClaim, { set, pod }: ClaimUse): boolean {
  if (!deletes(set, 'whenScaled') && !deletes(set, 'whenDeleted')) return false;
  return (claim.metadata.ownerReferences ?? []).some((reference) => {
    const own = [set, pod].find((each) => refersTo(reference, each));
    return own === undefined ? reference.controller === true : reference.uid !== own.metadata.uid;
  });
}

/** Whether a claim of a new pod is still to be deleted with an earlier pod of the same name. */
export function isStale(claim: PersistentVolumeClaim, set: StatefulSet, newPod: string): boolean {
  const references = claim.metadata.ownerReferences ?? [];
  return deletes(set, 'whenScaled') && references.some(({ kind, name }) => kind === 'Pod' && name === newPod);
}

/** With whom the claim is deleted: a pod that is scaled down, or the set. */
function ownerOf({ set, pod, isCondemned }: ClaimUse): KubeObject | undefined {
  if (deletes(set, 'whenScaled') && isCondemned) return pod;
  return deletes(set, 'whenDeleted') ? set : undefined;
}

function deletes({ spec }: StatefulSet, when: 'whenScaled' | 'whenDeleted'): boolean {
  return spec?.persistentVolumeClaimRetentionPolicy?.[when] === 'Delete';
}

function refersTo({ apiVersion, kind, name }: OwnerReference, object: KubeObject): boolean {
  return apiVersion === object.apiVersion && kind === object.kind && name === object.metadata.name;
}

function isOfEarlier(claim: PersistentVolumeClaim, owner: KubeObject): boolean {
  const reference = claim.metadata.ownerReferences?.find((each) => refersTo(each, owner));
  return reference !== undefined && reference.uid !== owner.metadata.uid;
}
