// SPDX-License-Identifier: Apache-2.0
// The claim template of a StatefulSet is immutable, and existing claims would not follow it. While there is no data, both are
// deleted and created again when the spec asks for another size, class or key. A claim is marked before any data is written to
// it; only the first pod starts before that.
import { isDeepStrictEqual } from 'node:util';
import { PersistentVolumeClaim, type StatefulSet } from '@forge/kube/kinds/builtin.ts';
import { nanosOf } from '@forge/kube/objects/quantity.ts';
import { annotations } from '../../api/names.ts';
import type { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import type { ContextWith } from '../../clients/services.ts';
import { serverPodLabels } from '../../objects/server-labels.ts';
import { claimsByName } from '../servers.ts';

type ClaimSpec = NonNullable<PersistentVolumeClaim['spec']>;

const sizeOf = ({ spec }: { spec?: ClaimSpec }) => nanosOf(String(spec?.resources?.requests?.['storage']));

/** Whether the StatefulSet creates the desired claims. */
export function hasSameClaims(live: StatefulSet, desired: StatefulSet): boolean {
  const [has, wants] = [live, desired].map(({ spec }) => spec?.volumeClaimTemplates?.[0]);
  return (
    has !== undefined &&
    wants !== undefined &&
    sizeOf(has) === sizeOf(wants) &&
    has.spec?.storageClassName === wants.spec?.storageClassName &&
    isDeepStrictEqual(has.metadata.annotations, wants.metadata.annotations)
  );
}

/** Whether there may be data of an earlier cluster of this name. */
export async function hasData(context: ContextWith): Promise<boolean> {
  return mayHaveAny(context.object, await claimsByName(context));
}

const mayHaveAny = (cluster: OpenBaoCluster, claims: readonly PersistentVolumeClaim[]): boolean =>
  claims.length > 1 || claims.some((claim) => mayHaveData(cluster, claim));

/** Deletes the claims that differ from the spec, if the cluster has no data; returns their names. */
export async function deleteOutdatedClaims(desired: StatefulSet, context: ContextWith): Promise<string[]> {
  const { object: cluster, deleteUnowned } = context;
  const claims = await claimsByName(context);
  const [wanted] = desired.spec?.volumeClaimTemplates ?? [];
  if (wanted === undefined || mayHaveAny(cluster, claims)) return [];
  const outdated = claims.filter(
    (claim) =>
      sizeOf(claim) !== sizeOf(wanted) ||
      (wanted.spec?.storageClassName !== undefined && claim.spec?.storageClassName !== wanted.spec.storageClassName),
  );
  for (const claim of outdated) {
    if (claim.metadata.deletionTimestamp === undefined)
      await deleteUnowned(PersistentVolumeClaim, claim, { exact: true });
  }
  return outdated.map(({ metadata }) => metadata.name);
}

/**
 * A claim that is older than its cluster belonged to another one, and may have data even without a mark; so may one that somebody
 * else made, for example of a snapshot. The StatefulSet gives its own the labels of the pods.
 */
function mayHaveData(cluster: OpenBaoCluster, { metadata }: PersistentVolumeClaim): boolean {
  const { annotations: marks = {}, labels = {}, creationTimestamp = '' } = metadata;
  const isMarked = marks[annotations.version] !== undefined || marks[annotations.initialization] !== undefined;
  const isOfOthers = Object.entries(serverPodLabels(cluster)).some(([label, value]) => labels[label] !== value);
  return isMarked || isOfOthers || creationTimestamp < (cluster.metadata.creationTimestamp ?? '');
}
