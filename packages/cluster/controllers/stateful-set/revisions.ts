// SPDX-License-Identifier: Apache-2.0
import { isDeepStrictEqual } from 'node:util';
import { isApiError } from '@forge/kube/errors/api-error.ts';
import type { PodTemplateSpec } from '@forge/kube/generated/types.ts';
import { ControllerRevision, StatefulSet, type Pod } from '@forge/kube/kinds/builtin.ts';
import { refOf } from '@forge/kube/objects/object.ts';
import type { ReconcileContext } from '@forge/runtime/controller/controller.ts';
import { controllerReference, isControlledBy } from '@forge/runtime/objects/owner-reference.ts';
import { removeObject } from '../../objects/remove-object.ts';
import { templateHash } from '../ownership/template-hash.ts';
import { revisionOf } from './identity.ts';

const hashLabel = 'controller.kubernetes.io/hash';
const defaultHistory = 10;

/** The two revisions of a set: pods are updated from `current` to `update`, which has the set's template. */
export interface Revisions {
  readonly current: ControllerRevision;
  readonly update: ControllerRevision;
}

/** The template in a revision. */
export function templateOf({ data }: ControllerRevision): PodTemplateSpec {
  const { $patch: _, ...template } = (data as { spec: { template: PodTemplateSpec & { $patch?: string } } }).spec
    .template;
  return template;
}

/** The revisions of the set; the one with its template is created, or becomes the newest again. */
export async function ensureRevisions(set: StatefulSet, context: ReconcileContext): Promise<Revisions> {
  const history = historyOf(set, context);
  const newest = history.at(-1);
  const wanted = dataOf(set);
  const known = history.findLast(({ data }) => isDeepStrictEqual(data, wanted));
  const next = (newest?.revision ?? 0) + 1;
  const update =
    known === undefined ? await create(set, wanted, next, context) : await renumbered(known, newest, next, context);
  const current = history.find(({ metadata }) => metadata.name === set.status?.currentRevision) ?? update;
  return { current, update };
}

/** Deletes the oldest unused revisions above the limit. */
export async function pruneRevisions(
  set: StatefulSet,
  { current, update }: Revisions,
  pods: readonly Pod[],
  context: ReconcileContext,
): Promise<void> {
  const used = new Set([current.metadata.name, update.metadata.name, ...pods.map(revisionOf)]);
  const unused = historyOf(set, context).filter(({ metadata }) => !used.has(metadata.name));
  const limit = set.spec?.revisionHistoryLimit ?? defaultHistory;
  for (const revision of unused.slice(0, Math.max(0, unused.length - limit))) {
    await removeObject(context.client, ControllerRevision, revision);
  }
}

/** The set's revisions, oldest first. */
function historyOf(set: StatefulSet, { cache }: ReconcileContext): ControllerRevision[] {
  return cache
    .list(ControllerRevision, { namespace: set.metadata.namespace })
    .filter((revision) => isControlledBy(revision, set))
    .toSorted((a, b) => a.revision - b.revision);
}

/** The content of a revision: a patch that sets the template. */
function dataOf({ spec }: StatefulSet): Record<string, unknown> {
  return { spec: { template: { ...spec?.template, $patch: 'replace' } } };
}

async function create(
  set: StatefulSet,
  data: Record<string, unknown>,
  revision: number,
  { client }: ReconcileContext,
): Promise<ControllerRevision> {
  const { name, namespace } = set.metadata;
  const collisions = set.status?.collisionCount ?? 0;
  const hash = templateHash(set.spec?.template ?? {}, collisions);
  const wanted: ControllerRevision = {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name: `${name}-${hash}`,
      ...(namespace !== undefined && { namespace }),
      labels: { ...set.spec?.selector.matchLabels, [hashLabel]: hash },
      ownerReferences: [controllerReference(set)],
    },
    data,
    revision,
  };
  try {
    return await client.create(ControllerRevision, wanted);
  } catch (error) {
    if (!isApiError(error, 'AlreadyExists')) throw error;
    const present = await client.get(ControllerRevision, refOf(wanted));
    if (isControlledBy(present, set) && isDeepStrictEqual(present.data, data)) return present;
    // The name is taken by another template or owner: the next attempt uses another hash.
    const status = { replicas: 0, ...set.status, collisionCount: collisions + 1 };
    await client.update(StatefulSet, { ...set, status }, { subresource: 'status' });
    throw error;
  }
}

/** An existing revision, renumbered as the newest. */
async function renumbered(
  known: ControllerRevision,
  newest: ControllerRevision | undefined,
  revision: number,
  { client }: ReconcileContext,
): Promise<ControllerRevision> {
  return known === newest ? known : await client.update(ControllerRevision, { ...known, revision });
}
