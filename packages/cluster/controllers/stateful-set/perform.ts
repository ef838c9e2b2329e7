// SPDX-License-Identifier: Apache-2.0
import { Pod, type StatefulSet } from '@forge/kube/kinds/builtin.ts';
import type { ReconcileContext } from '@forge/runtime/controller/controller.ts';
import { removeObject } from '../../objects/remove-object.ts';
import { conforming, podOf } from './identity.ts';
import type { Action, Stage } from './next-actions.ts';
import { ensureClaims, updateClaimOwners } from './perform-claims.ts';
import { podTexts, recordOutcome } from './record-outcome.ts';
import { templateOf, type Revisions } from './revisions.ts';

/**
 * Performs the stages one after the other, and ends with the first failure. With pods in parallel, that does not prevent
 * the actions on others of its batch: one pod, then two, four …
 */
export async function performAll(
  set: StatefulSet,
  stages: readonly Stage[],
  revisions: Revisions,
  context: ReconcileContext,
): Promise<void> {
  const growth = set.spec?.podManagementPolicy === 'Parallel' ? 2 : 1;
  for (const stage of stages) {
    for (let first = 0, size = 1; first < stage.length; first += size, size *= growth) {
      const failures: unknown[] = [];
      for (const actions of stage.slice(first, first + size)) {
        try {
          for (const action of actions) await perform(set, action, revisions, context);
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
    }
  }
}

/** Performs an action, and records Events about it. */
async function perform(
  set: StatefulSet,
  action: Action,
  revisions: Revisions,
  context: ReconcileContext,
): Promise<void> {
  switch (action.type) {
    case 'create':
      return await createPod(set, podFor(set, action, revisions), context);
    case 'delete': {
      const { pod } = action;
      const texts = podTexts('Delete', pod, set);
      return await recordOutcome(set, texts, () => removeObject(context.client, Pod, pod), context);
    }
    case 'complete':
      await ensureClaims(set, action.pod, context);
      return await updateClaimOwners(set, action.pod, context);
    case 'conform':
      return await conform(set, action.pod, context);
    case 'condemn':
      return await updateClaimOwners(set, action.pod, context);
  }
}

function podFor(
  set: StatefulSet,
  { ordinal, revision }: Extract<Action, { type: 'create' }>,
  revisions: Revisions,
): Pod {
  return podOf(set, ordinal, revisions[revision].metadata.name, templateOf(revisions[revision]));
}

async function createPod(set: StatefulSet, pod: Pod, context: ReconcileContext): Promise<void> {
  const create = async (): Promise<boolean> => {
    await ensureClaims(set, pod, context);
    await context.client.create(Pod, pod);
    await updateClaimOwners(set, pod, context);
    return true;
  };
  await recordOutcome(set, podTexts('Create', pod, set), create, context);
}

async function conform(set: StatefulSet, pod: Pod, context: ReconcileContext): Promise<void> {
  const wanted = conforming(set, pod);
  const update = async (): Promise<boolean> => {
    if (wanted !== pod) await ensureClaims(set, pod, context);
    await updateClaimOwners(set, pod, context);
    if (wanted !== pod) await context.client.update(Pod, wanted);
    return true;
  };
  await recordOutcome(set, podTexts('Update', pod, set), update, context);
}
