// SPDX-License-Identifier: Apache-2.0
// Jobs are deleted first, and then the servers, because a claim stays while a pod uses it. What the deletion policy may keep
// has no owner, so that no propagation policy can collect it. Keys are deleted after the data that they unseal. A StatefulSet
// without an owner is the sign of an orphaning deletion: nothing is deleted, and the servers keep running without their
// resource.
import { Job, PersistentVolumeClaim, Pod, Secret, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { isTerminating, type KubeObject } from '@forge/kube/objects/object.ts';
import { isControlledBy, ownerUidsOf } from '@forge/runtime/objects/owner-reference.ts';
import { modified } from '@forge/runtime/steps/modified.ts';
import { ready, waiting, type Outcome } from '@forge/runtime/steps/outcome.ts';
import { reads } from '@forge/runtime/steps/reads.ts';
import { snapshotPrefix } from '../api/executor/snapshot-key.ts';
import { clusterLabel, finalizer, namesOf } from '../api/names.ts';
import type { OpenBaoCluster } from '../api/openbao-cluster.ts';
import type { ContextWith, Services } from '../clients/services.ts';
import { deleting, deletionEvents } from '../conditions/deletion.ts';
import { retainedClaims } from '../objects/stateful-set.ts';
import { allPods, claimsByName, dataClaims, isOwn, liveClaims, liveJobs, livePods, serverPods } from './servers.ts';
import { deletionStep } from './step.ts';

const keySecrets = (cluster: OpenBaoCluster) => [namesOf(cluster).unsealKeySecret, namesOf(cluster).rootTokenSecret];

/** Deletes the servers, then what the deletion policy says. */
export const deletion = deletionStep({
  name: 'Deletion',
  condition: { type: 'Available', helperOf: 'Summary' },
  finalizer,
  reads: [
    serverPods,
    livePods,
    allPods,
    liveJobs,
    dataClaims,
    liveClaims,
    reads<OpenBaoCluster, Services, StatefulSet>(StatefulSet, (cluster) => [namesOf(cluster).statefulSet], {
      live: true,
    }),
    reads<OpenBaoCluster, Services, Secret>(Secret, keySecrets, { live: true }),
  ],
  modifies: [
    modified(Job, 'delete'),
    modified(StatefulSet, 'patch', 'delete'),
    modified(Pod, 'delete'),
    modified(PersistentVolumeClaim, 'delete'),
    modified(Secret, 'delete'),
  ],
  async run(context) {
    const { object: cluster, fetch, fetchAll } = context;
    const set = await fetch(StatefulSet, namesOf(cluster).statefulSet);
    const claims = await claimsByName(context);
    if (isOrphaning(cluster, set)) return await retained(claims, context);
    const jobs = (await fetchAll(liveJobs)).filter((job) => isControlledBy(job, cluster));
    if (jobs.length > 0) return await awaited(Job, jobs, context);
    if (set !== undefined)
      return (await released(set, claims, context)) ?? (await awaited(StatefulSet, [set], context));
    const pods = (await fetchAll(livePods)).filter((pod) => isOwn(cluster, pod));
    if (pods.length > 0) return await awaited(Pod, pods, context);
    if (cluster.spec.deletionPolicy === 'Retain') return await retained(claims, context);
    const labelled = claims.filter(({ metadata }) => metadata.labels?.[clusterLabel] === cluster.metadata.name);
    if (labelled.length > 0)
      return await awaited(PersistentVolumeClaim, labelled, context, await usersOf(labelled, context));
    // A claim whose labels were removed is kept, and with it its key.
    return claims.length > 0 ? await retained(claims, context) : await withoutData(context);
  },
});

/** Whether the servers shall keep running: before and after the garbage collector removes their owner reference. */
function isOrphaning(cluster: OpenBaoCluster, set: StatefulSet | undefined): boolean {
  return (
    cluster.metadata.finalizers?.includes('orphan') === true || (set !== undefined && !isControlledBy(set, cluster))
  );
}

/** Takes a StatefulSet its claims, if somebody has written a retention policy by which it would take them along. */
async function released(
  set: StatefulSet,
  claims: readonly PersistentVolumeClaim[],
  { patch }: ContextWith,
): Promise<Outcome<unknown, object> | undefined> {
  if (isTerminating(set)) return undefined;
  await patch(StatefulSet, set, { spec: { persistentVolumeClaimRetentionPolicy: retainedClaims } });
  const held = claims.filter((claim) => ownerUidsOf(claim).includes(set.metadata.uid ?? ''));
  if (held.length === 0) return undefined;
  const names = held.map(({ metadata }) => metadata.name).join(', ');
  return waiting(deleting.releasing({ claims: names, set: set.metadata.name }));
}

/** Deletes these objects, and waits until they are gone. */
async function awaited(
  kind: Kind,
  objects: readonly KubeObject[],
  { deleteUnowned }: ContextWith,
  users: ReadonlyMap<string, string> = new Map(),
): Promise<Outcome<unknown, object>> {
  for (const object of objects) if (!isTerminating(object)) await deleteUnowned(kind, object);
  const names = objects.map(({ metadata: { name, finalizers = [] } }) => {
    const holders = finalizers.filter((each) => !each.startsWith('kubernetes.io/') && !kubernetesFinalizers.has(each));
    const user = users.get(name);
    const holds = holders.length > 0 ? `held by ${holders.join(', ')}` : user && `used by Pod ${user}`;
    return holds === undefined ? name : `${name} (${holds})`;
  });
  return waiting(deleting.waiting({ what: `${kind.kind} ${names.join(', ')}` }));
}

/** The pods that keep claims from going although their deletion has begun, by claim: those that people have taken out of the cluster. */
async function usersOf(
  claims: readonly PersistentVolumeClaim[],
  { fetchAll }: ContextWith,
): Promise<ReadonlyMap<string, string>> {
  if (!claims.some(isTerminating)) return new Map();
  const pods = await fetchAll(allPods);
  return new Map(
    pods.flatMap(({ metadata, spec }) =>
      (spec?.volumes ?? []).flatMap(({ persistentVolumeClaim: used }) =>
        used === undefined ? [] : [[used.claimName, metadata.name] as const],
      ),
    ),
  );
}

/** Finalizers that Kubernetes removes by itself. */
const kubernetesFinalizers = new Set(['foregroundDeletion', 'orphan']);

async function retained(claims: readonly PersistentVolumeClaim[], { object: cluster, event }: ContextWith) {
  if (claims.length > 0) {
    const names = claims.map(({ metadata }) => metadata.name).join(', ');
    await event(deletionEvents.retained({ claims: names, secrets: keySecrets(cluster).join(' and ') }));
  }
  return ready();
}

/** Ends a deletion that leaves no data: deletes the keys, which are of no use without it. */
async function withoutData({ object: cluster, fetch, deleteUnowned, event }: ContextWith) {
  for (const name of keySecrets(cluster)) {
    const secret = await fetch(Secret, name);
    if (secret !== undefined) await deleteUnowned(Secret, secret);
  }
  const { backup, deletionPolicy } = cluster.spec;
  if (deletionPolicy === 'DeleteAll' && backup !== undefined) {
    const { bucket, pathPrefix } = backup.target;
    const { namespace = '', name } = cluster.metadata;
    const prefix = snapshotPrefix({ namespace, name, pathPrefix });
    await event(deletionEvents.backupsRetained({ prefix, bucket }));
  }
  return ready();
}
