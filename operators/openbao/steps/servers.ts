// SPDX-License-Identifier: Apache-2.0
import { Job, PersistentVolumeClaim, Pod } from '@forge/kube/kinds/builtin.ts';
import { isTerminating } from '@forge/kube/objects/object.ts';
import { podProblem } from '@forge/runtime/jobs/pod-problem.ts';
import { readsLabelled } from '@forge/runtime/steps/reads.ts';
import { clusterLabel, componentLabel, components, namesOf, serverLabels } from '../api/names.ts';
import type { OpenBaoCluster } from '../api/openbao-cluster.ts';
import type { ContextWith, Services } from '../clients/services.ts';

/** The pods of a cluster's servers. */
export const serverPods = readsLabelled<OpenBaoCluster, Services, Pod>(
  Pod,
  ({ metadata: { name } }) => ({ [clusterLabel]: name, [componentLabel]: components.server }),
  { selector: `${componentLabel}=${components.server}` },
);

/** Those that the StatefulSet made: others may carry the same labels. */
export const podsOf = ({ object, select }: Pick<ContextWith, 'object' | 'select'>): Pod[] =>
  select(serverPods).filter((pod) => isOwn(object, pod));

/** Whether the pod has a name that the StatefulSet gives. */
export const isOwn = (cluster: OpenBaoCluster, { metadata: { name } }: Pod): boolean =>
  numberIn(name, namesOf(cluster).pod(0)) !== undefined;

/** The same, live: before what they use is deleted. */
export const livePods = readsLabelled<OpenBaoCluster, Services, Pod>(
  Pod,
  ({ metadata: { name } }) => ({ [clusterLabel]: name, [componentLabel]: components.server }),
  { live: true },
);

/** All pods of the namespace, live: who uses a claim cannot be told by labels. */
export const allPods = readsLabelled<OpenBaoCluster, Services, Pod>(Pod, () => ({}), { live: true });

/** All Jobs of the namespace, live: who controls them cannot be told by their labels, which people can take off. */
export const liveJobs = readsLabelled<OpenBaoCluster, Services, Job>(Job, () => ({}), { live: true });

/** The claims of a cluster: its data. */
export const dataClaims = readsLabelled<OpenBaoCluster, Services, PersistentVolumeClaim>(
  PersistentVolumeClaim,
  ({ metadata: { name } }) => ({ [clusterLabel]: name }),
  { selector: clusterLabel },
);

/** All claims of the namespace, live. */
export const liveClaims = readsLabelled<OpenBaoCluster, Services, PersistentVolumeClaim>(
  PersistentVolumeClaim,
  () => ({}),
  { live: true },
);

/** The claims of a cluster by their names, live: a claim whose labels were removed still has data. */
export async function claimsByName({ object: cluster, fetchAll }: ContextWith): Promise<PersistentVolumeClaim[]> {
  return (await fetchAll(liveClaims)).filter((claim) => ordinalOf(cluster, claim) !== undefined);
}

/** Whether the pod is ready and not terminating. */
export function isServing({ metadata, status }: Pod): boolean {
  const isReady = status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false;
  return isReady && metadata.deletionTimestamp === undefined;
}

/** What keeps these pods from being ready. How a pod ends that is taken away is no problem. */
export const problemOfPods = (pods: readonly Pod[]): string | undefined =>
  podProblem(pods.filter((pod) => !isTerminating(pod)));

/** Whether the server of the pod runs and its startup probe has passed. */
export function hasStarted({ metadata, status }: Pod): boolean {
  const container = status?.containerStatuses?.find(({ name }) => name === 'openbao');
  const isRunning = container?.state?.running !== undefined && container.started === true;
  return status?.phase === 'Running' && isRunning && metadata.deletionTimestamp === undefined;
}

/** A label that the server writes on its pod; undefined when it is missing or unreadable. After a crash it is stale. */
export function labelOf({ metadata }: Pod, label: 'active' | 'initialized' | 'sealed'): boolean | undefined {
  const text = metadata.labels?.[serverLabels[label]]?.trim().toLowerCase();
  return text === 'true' ? true : text === 'false' ? false : undefined;
}

/** The number in the name of a claim of this cluster; undefined for others. */
export const ordinalOf = (cluster: OpenBaoCluster, { metadata: { name } }: PersistentVolumeClaim): number | undefined =>
  numberIn(name, namesOf(cluster).claim(0));

/** The number in a name that differs from this first one only by its number; undefined for others. */
function numberIn(name: string, first: string): number | undefined {
  const prefix = first.slice(0, -1);
  const rest = name.startsWith(prefix) ? name.slice(prefix.length) : '';
  return /^\d+$/.test(rest) ? Number(rest) : undefined;
}

/** One more than the highest number among the claims. */
function claimedReplicas(cluster: OpenBaoCluster, claims: readonly PersistentVolumeClaim[]): number {
  return Math.max(0, ...claims.map((claim) => (ordinalOf(cluster, claim) ?? -1) + 1));
}

/** Whether other pods may have data: then the first pod must join them and never form a cluster of its own. */
export function hasOthers(cluster: OpenBaoCluster, claims: readonly PersistentVolumeClaim[]): boolean {
  return claimedReplicas(cluster, claims) > 1;
}
