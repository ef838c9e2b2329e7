// SPDX-License-Identifier: Apache-2.0
import { isDeepStrictEqual } from 'node:util';
import { isApiError } from '@forge/kube/errors/api-error.ts';
import type { PodTemplateSpec } from '@forge/kube/generated/types.ts';
import { ControllerRevision, type Pod, type StatefulSet } from '@forge/kube/kinds/builtin.ts';
import { refOf } from '@forge/kube/objects/object.ts';
import type { ReconcileContext } from '@forge/runtime/controller/controller.ts';
import { controllerReference } from '@forge/runtime/objects/owner-reference.ts';
import { removeObject } from '../../objects/remove-object.ts';
import { templateHash } from '../ownership/template-hash.ts';
import { revisionOf } from './identity.ts';

const hashLabel = 'controller.kubernetes.io/hash';
const defaultHistory = 10;

/** The two revisions of a set: pods are updated from `current` to `update`, which has the set's template. */
export interface Revisions {
  readonly current: ControllerRevision;
  readonly update: ControllerRevision;
  /** How often the name of a new revision was taken. */
  readonly collisions: number;
}

/** The template in a revision. */
export function templateOf({ data }: ControllerRevision): PodTemplateSpec {
  const { $patch: _, ...template } = (data as { spec: { template: PodTemplateSpec & { $patch?: string } } }).spec
    .template;
  return template;
}

/** Sorts the history of a set, oldest first. */
export function byRevision(a: ControllerRevision, b: ControllerRevision): number {
  return a.revision - b.revision;
}

/** The revisions of the set; the one with its template is created, or becomes the newest again. */
export async function ensureRevisions(
  set: StatefulSet,
  history: readonly ControllerRevision[],
  context: ReconcileContext,
): Promise<Revisions> {
  const newest = history.at(-1);
  const wanted = dataOf(set);
  const known = history.findLast(({ data }) => isDeepStrictEqual(data, wanted));
  const next = (newest?.revision ?? 0) + 1;
  const { collisionCount = 0 } = set.status ?? {};
  const { revision: update, collisions } =
    known === undefined
      ? await create(set, wanted, next, collisionCount, context)
      : { revision: await renumbered(known, newest, next, context), collisions: collisionCount };
  const current = history.find(({ metadata }) => metadata.name === set.status?.currentRevision) ?? update;
  return { current, update, collisions };
}

/** Deletes the oldest unused revisions above the limit. */
export async function pruneRevisions(
  set: StatefulSet,
  history: readonly ControllerRevision[],
  { current, update }: Revisions,
  pods: readonly Pod[],
  context: ReconcileContext,
): Promise<void> {
  const used = new Set([current.metadata.name, update.metadata.name, ...pods.map(revisionOf)]);
  const unused = history.filter(({ metadata }) => !used.has(metadata.name));
  const limit = set.spec?.revisionHistoryLimit ?? defaultHistory;
  for (const revision of unused.slice(0, Math.max(0, unused.length - limit))) {
    await removeObject(context.client, ControllerRevision, revision);
  }
}

/** The content of a revision: a patch that sets the template. */
function dataOf({ spec }: StatefulSet): Record<string, unknown> {
  return { spec: { template: { ...spec?.template, $patch: 'replace' } } };
}

/** Creates a revision; while its name is taken by another template, under another name. */
async function create(
  set: StatefulSet,
  data: Record<string, unknown>,
  revision: number,
  collisions: number,
  context: ReconcileContext,
): Promise<{ revision: ControllerRevision; collisions: number }> {
  const { name, namespace, annotations } = set.metadata;
  const { template } = set.spec ?? {};
  const hash = templateHash(template ?? {}, collisions);
  const wanted: ControllerRevision = {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name: `${name}-${hash}`,
      ...(namespace !== undefined && { namespace }),
      labels: { ...template?.metadata?.labels, [hashLabel]: hash },
      ...(annotations !== undefined && { annotations }),
      ownerReferences: [controllerReference(set)],
    },
    data,
    revision,
  };
  try {
    return { revision: await context.client.create(ControllerRevision, wanted), collisions };
  } catch (error) {
    if (!isApiError(error, 'AlreadyExists')) throw error;
    const present = await context.client.get(ControllerRevision, refOf(wanted));
    if (isDeepStrictEqual(present.data, data)) return { revision: present, collisions };
    return await create(set, data, revision, collisions + 1, context);
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
