// SPDX-License-Identifier: Apache-2.0
import { isApiError } from '@forge/kube/errors/api-error.ts';
import type { DeploymentSpec } from '@forge/kube/generated/types.ts';
import { Deployment, ReplicaSet } from '@forge/kube/kinds/builtin.ts';
import { refOf } from '@forge/kube/objects/object.ts';
import type { ReconcileContext } from '@forge/runtime/controller/controller.ts';
import { isControlledBy } from '@forge/runtime/objects/owner-reference.ts';
import { conditionOf } from '../../objects/with-condition.ts';
import { templateHash } from '../ownership/template-hash.ts';
import type { ProgressNote } from './deployment-progress.ts';
import { nextRevision, revisionOf } from './revision.ts';
import { nextNewReplicas, rolloutBounds } from './rolling-update.ts';
import { scaledEvent, strategyOf, totalReplicas, type DeploymentSets } from './rollout.ts';
import { carriedAnnotations, carries, findTemplateSet, sizeAnnotations, templateSet } from './template-set.ts';

/** The ReplicaSet with the Deployment's template, and the progress to report. */
interface CurrentSet {
  set: ReplicaSet;
  note?: ProgressNote;
}

/** Ensures that a ReplicaSet with the Deployment's template exists and has the newest revision. */
export async function ensureCurrentSet(
  deployment: Deployment,
  spec: DeploymentSpec,
  { current, old }: DeploymentSets,
  context: ReconcileContext,
): Promise<CurrentSet> {
  const revision = nextRevision(old);
  if (current === undefined) return create(deployment, spec, old, revision, context);
  const set = await refresh(deployment, spec, current, Math.max(revision, revisionOf(current)), context);
  if (conditionOf(deployment.status?.conditions, 'Progressing') !== undefined) return { set };
  const message = `Found new replica set "${set.metadata.name}"`;
  return { set, note: { status: 'True', reason: 'FoundNewReplicaSet', message } };
}

async function create(
  deployment: Deployment,
  spec: DeploymentSpec,
  old: readonly ReplicaSet[],
  revision: number,
  { client, event }: ReconcileContext,
): Promise<CurrentSet> {
  const bounds = rolloutBounds(spec);
  const replicas = strategyOf(spec) === 'Recreate' ? bounds.replicas : nextNewReplicas(bounds, 0, totalReplicas(old));
  const collisions = deployment.status?.collisionCount ?? 0;
  const wanted = templateSet(deployment, spec, templateHash(spec.template, collisions), replicas);
  const annotations = { ...carriedAnnotations(deployment, revision), ...sizeAnnotations(bounds) };
  const { name } = wanted.metadata;
  try {
    const set = await client.create(ReplicaSet, { ...wanted, metadata: { ...wanted.metadata, annotations } });
    if (replicas > 0) await event(deployment, scaledEvent(name, 0, replicas));
    return {
      set,
      note: { status: 'True', reason: 'NewReplicaSetCreated', message: `Created new replica set "${name}"` },
    };
  } catch (error) {
    if (!isApiError(error, 'AlreadyExists')) throw error;
    const present = await client.get(ReplicaSet, refOf(wanted));
    if (isControlledBy(present, deployment) && findTemplateSet(spec.template, [present])) return { set: present };
    // The name is taken by another template or owner: the next attempt uses another hash.
    const status = { ...deployment.status, collisionCount: collisions + 1 };
    await client.update(Deployment, { ...deployment, status }, { subresource: 'status' });
    throw error;
  }
}

/** Updates the annotations and minReadySeconds of a ReplicaSet. */
async function refresh(
  deployment: Deployment,
  spec: DeploymentSpec,
  set: ReplicaSet,
  revision: number,
  { client }: ReconcileContext,
): Promise<ReplicaSet> {
  const annotations = carriedAnnotations(deployment, revision);
  const { minReadySeconds = 0 } = spec;
  if ((set.spec?.minReadySeconds ?? 0) === minReadySeconds && carries(set, annotations)) return set;
  const { resourceVersion } = set.metadata;
  const patch = { metadata: { resourceVersion, annotations }, spec: { minReadySeconds } };
  return client.patch(ReplicaSet, refOf(set), 'merge', patch);
}
