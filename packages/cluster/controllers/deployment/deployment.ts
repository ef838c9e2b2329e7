// SPDX-License-Identifier: Apache-2.0
import type { DeploymentSpec } from '@forge/kube/generated/types.ts';
import { Deployment, Pod, ReplicaSet } from '@forge/kube/kinds/builtin.ts';
import { refOf } from '@forge/kube/objects/object.ts';
import { formatLabelSelector } from '@forge/kube/selectors/selector.ts';
import type { Controller, ReconcileContext } from '@forge/runtime/controller/controller.ts';
import type { Duration } from '@forge/runtime/environment/duration.ts';
import { controllerOf } from '@forge/runtime/objects/owner-reference.ts';
import { isTerminal } from '../../objects/pod-state.ts';
import { removeObject } from '../../objects/remove-object.ts';
import { conditionOf } from '../../objects/with-condition.ts';
import { writeStatus } from '../../objects/write-status.ts';
import { claim, watchOrphans } from '../ownership/claim.ts';
import { isComplete, progressRecheck, type ProgressNote } from './deployment-progress.ts';
import { deploymentStatus } from './deployment-status.ts';
import { ensureCurrentSet } from './ensure-current-set.ts';
import { revisionAnnotation, revisionOf } from './revision.ts';
import { rolloutBounds, type RolloutBounds } from './rolling-update.ts';
import {
  isResized,
  replicasOf,
  resize,
  rollOut,
  scaledEvent,
  strategyOf,
  type DeploymentSets,
  type Resize,
} from './rollout.ts';
import { findTemplateSet, carries, sizeAnnotations } from './template-set.ts';

/** The Deployment controller: rolls templates out through ReplicaSets. */
export const deploymentController: Controller = {
  name: 'deployment-controller',
  for: Deployment,
  owns: [ReplicaSet],
  watches: [watchOrphans(ReplicaSet, Deployment)],

  async reconcile(ref, context): Promise<Duration | undefined> {
    const { cache, client, clock } = context;
    const deployment = cache.get(Deployment, ref);
    if (deployment?.spec === undefined) return undefined;
    const { spec } = deployment;
    const claimed = await claim(ReplicaSet, Deployment, deployment, spec.selector, context);
    const terminating = deployment.metadata.deletionTimestamp !== undefined;
    const { sets, note } = terminating
      ? { sets: sortSets(spec, claimed), note: undefined }
      : await progress(deployment, spec, sortSets(spec, claimed), context);
    const status = deploymentStatus(deployment, spec, sets, clock, note);
    if (!terminating && isComplete(spec.replicas ?? 1, status)) await deleteOldSets(spec, sets, context);
    await writeStatus(client, Deployment, await withRevision(deployment, sets, context), status);
    return progressRecheck(spec, status, clock.now());
  },
};

/** The ReplicaSets, oldest first, with the one that has the current template. */
function sortSets({ template }: DeploymentSpec, sets: readonly ReplicaSet[]): DeploymentSets {
  const all = sets.toSorted((a, b) => ageKey(a).localeCompare(ageKey(b)));
  const current = findTemplateSet(template, all);
  return { all, current, old: all.filter((set) => set !== current) };
}

function ageKey({ metadata: { creationTimestamp = '', name } }: ReplicaSet): string {
  return `${creationTimestamp} ${name}`;
}

/** Takes one step towards the Deployment's template and size; returns the resulting ReplicaSets. */
async function progress(
  deployment: Deployment,
  spec: DeploymentSpec,
  sets: DeploymentSets,
  context: ReconcileContext,
): Promise<{ sets: DeploymentSets; note?: ProgressNote | undefined }> {
  const bounds = rolloutBounds(spec);
  if (spec.paused === true || isResized(bounds, sets)) {
    const all = await resizeAll(deployment, bounds, sets.all, resize(bounds, sets), context);
    return { sets: sortSets(spec, all), note: pauseNote(deployment, spec) };
  }
  const strategy = strategyOf(spec);
  let { all } = sets;
  let note = pauseNote(deployment, spec);
  const hasStarted = sets.current !== undefined && replicasOf(sets.current) > 0;
  if (strategy !== 'Recreate' || hasStarted || !(await oldPodsRunning(spec, sets.old, context))) {
    const established = await ensureCurrentSet(deployment, spec, sets, context);
    all = [...all.filter((set) => set !== sets.current), established.set];
    note = established.note ?? note;
  }
  const resizes = rollOut(strategy, bounds, sortSets(spec, all));
  return { sets: sortSets(spec, await resizeAll(deployment, bounds, all, resizes, context)), note };
}

/**
 * Whether pods of these ReplicaSets may still be running. Asks the server: the cache does not show pods that this
 * controller has deleted.
 */
async function oldPodsRunning(
  spec: DeploymentSpec,
  sets: readonly ReplicaSet[],
  { client }: ReconcileContext,
): Promise<boolean> {
  const [first] = sets;
  if (first === undefined) return false;
  if (sets.some((set) => replicasOf(set) > 0)) return true;
  const labelSelector = formatLabelSelector(spec.selector);
  const { items } = await client.list(Pod, { namespace: first.metadata.namespace, labelSelector });
  const uids = new Set(sets.map(({ metadata }) => metadata.uid));
  return items.some((pod) => !isTerminal(pod) && uids.has(controllerOf(pod)?.uid));
}

async function resizeAll(
  deployment: Deployment,
  bounds: RolloutBounds,
  sets: readonly ReplicaSet[],
  resizes: readonly Resize[],
  { client, event }: ReconcileContext,
): Promise<ReplicaSet[]> {
  const annotations = sizeAnnotations(bounds);
  const resized = new Map<ReplicaSet, ReplicaSet>();
  for (const { set, replicas } of resizes) {
    const before = replicasOf(set);
    if (before === replicas && (replicas === 0 || carries(set, annotations))) continue;
    const { resourceVersion } = set.metadata;
    const patch = { metadata: { resourceVersion, annotations }, spec: { replicas } };
    resized.set(set, await client.patch(ReplicaSet, refOf(set), 'merge', patch));
    if (before !== replicas) await event(deployment, scaledEvent(set.metadata.name, before, replicas));
  }
  return sets.map((set) => resized.get(set) ?? set);
}

/** Pausing stops the progress deadline; resuming restarts it. */
function pauseNote({ status }: Deployment, { paused }: DeploymentSpec): ProgressNote | undefined {
  const was = conditionOf(status?.conditions, 'Progressing')?.reason === 'DeploymentPaused';
  if (paused === true) return { status: 'Unknown', reason: 'DeploymentPaused', message: 'Deployment is paused' };
  return was ? { status: 'Unknown', reason: 'DeploymentResumed', message: 'Deployment is resumed' } : undefined;
}

/** Deletes old ReplicaSets beyond revisionHistoryLimit, oldest revision first. */
async function deleteOldSets(
  spec: DeploymentSpec,
  { old }: DeploymentSets,
  { client }: ReconcileContext,
): Promise<void> {
  const kept = old.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const surplus = kept
    .toSorted((a, b) => revisionOf(a) - revisionOf(b))
    .slice(0, Math.max(0, kept.length - (spec.revisionHistoryLimit ?? 10)));
  for (const set of surplus) {
    const observed = (set.metadata.generation ?? 0) <= (set.status?.observedGeneration ?? 0);
    if (replicasOf(set) > 0 || (set.status?.replicas ?? 0) > 0 || !observed) continue;
    await removeObject(client, ReplicaSet, set, { propagation: 'Background' });
  }
}

/** The Deployment, annotated with the revision of its current ReplicaSet. */
async function withRevision(
  deployment: Deployment,
  { current }: DeploymentSets,
  { client }: ReconcileContext,
): Promise<Deployment> {
  if (current === undefined || revisionOf(deployment) === revisionOf(current)) return deployment;
  const { resourceVersion } = deployment.metadata;
  const annotations = { [revisionAnnotation]: String(revisionOf(current)) };
  return client.patch(Deployment, refOf(deployment), 'merge', { metadata: { resourceVersion, annotations } });
}
